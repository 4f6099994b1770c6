import { anonymousEndpoint } from '../../lib/http/endpoint.ts'
import { linkDepsFromEnvironment } from '../../lib/runtime/accountLinks.ts'
import { allowsOrigin } from '../../lib/runtime/allowedOrigins.ts'
import { callersFromEnvironment } from '../../lib/runtime/callers.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { toUserResource } from '../../lib/users/userResource.ts'
import { verifyEmail } from '../../lib/users/verifyEmail.ts'
import { contract } from './contract.ts'

const deps = linkDepsFromEnvironment()
const callers = callersFromEnvironment()

/** POST /api/auth/verify: verifies an email address with the token of a mail, and returns the user. */
export const handler = anonymousEndpoint(contract, { ...deps, allowsOrigin, logger, ...callers }, async ({ body }) => {
  const { user } = await verifyEmail(deps, body.token)
  return { status: 200, body: toUserResource(user) }
})
