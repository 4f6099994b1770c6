import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { accountDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { allowsOrigin } from '../../lib/runtime/allowedOrigins.ts'
import { callersFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { register } from '../../lib/users/account/register.ts'
import { mailSent } from '../../lib/users/links/sendLink.ts'
import { contract } from './contract.ts'

const deps = accountDepsFromEnvironment()
const callers = callersFromEnvironment()

/** POST /api/auth/register: creates an account, to be used when its email address is verified. */
export const handler = anonymousEndpoint(
  contract,
  { ...deps, allowsOrigin, ...callers },
  async ({ body, sourceIp, language }) => {
    await register(deps, { ...body, sourceIp, language })
    return { status: 202, body: mailSent }
  },
)
