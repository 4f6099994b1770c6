import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { joining, liveCallersFromEnvironment, mailDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { confirmEmailChangeAs } from '../../lib/users/email/confirmEmailChange.ts'
import { contract } from './contract.ts'

const deps = { ...joining(mailDepsFromEnvironment()), callers: liveCallersFromEnvironment() }

/** POST /api/users/me/email/confirm: makes the new email address the user's, and returns the user. */
export const handler = anonymousEndpoint(contract, httpDeps(), async ({ body, caller, language }) => {
  const user = await confirmEmailChangeAs(deps, { ...body, caller, language })
  return { status: 200, body: toUserResource(user) }
})
