import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { joining, passwordLinkDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { verifyEmailWithPassword } from '../../lib/users/email/verifyEmail.ts'
import { contract } from './contract.ts'

const deps = joining(passwordLinkDepsFromEnvironment())

/** POST /api/auth/verify: verifies an email address with the token of a mail and the account's password, and returns the user. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body }) => {
  const user = await verifyEmailWithPassword(deps, body)
  return { status: 200, body: toUserResource(user) }
})
