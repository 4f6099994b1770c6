import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { passwordLinkDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { allowsOrigin } from '../../lib/runtime/allowedOrigins.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { callersFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { verifyEmailWithPassword } from '../../lib/users/email/verifyEmail.ts'
import { contract } from './contract.ts'

const deps = passwordLinkDepsFromEnvironment()
const callers = callersFromEnvironment()

/** POST /api/auth/verify: verifies an email address with the token of a mail and the account's password, and returns the user. */
export const handler = anonymousEndpoint(contract, { ...deps, allowsOrigin, logger, ...callers }, async ({ body }) => {
  const user = await verifyEmailWithPassword(deps, body)
  return { status: 200, body: toUserResource(user) }
})
