import { anonymousEndpoint } from '../../lib/http/endpoint.ts'
import { accountDepsFromEnvironment } from '../../lib/runtime/accountPasswords.ts'
import { allowsOrigin } from '../../lib/runtime/allowedOrigins.ts'
import { rateLimitFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { resetPassword } from '../../lib/users/resetPassword.ts'
import { contract } from './contract.ts'

const deps = accountDepsFromEnvironment()
const rateLimit = rateLimitFromEnvironment()

/** POST /api/auth/password/reset: sets a new password, given the token of a mail. */
export const handler = anonymousEndpoint(contract, { ...deps, allowsOrigin, rateLimit }, async ({ body, language }) => {
  await resetPassword(deps, { ...body, language })
  return { status: 200, body: null }
})
