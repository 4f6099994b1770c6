import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { accountDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { register } from '../../lib/users/account/register.ts'
import { mailSent } from '../../lib/users/links/sendLink.ts'
import { contract } from './contract.ts'

const deps = accountDepsFromEnvironment()

/** POST /api/auth/register: creates an account, to be used when its email address is verified. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, sourceIp, language }) => {
  await register(deps, { ...body, sourceIp, language })
  return { status: 202, body: mailSent }
})
