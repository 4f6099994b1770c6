import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { mailDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { confirmEmailChange } from '../../lib/users/email/confirmEmailChange.ts'
import { contract } from './contract.ts'

const deps = mailDepsFromEnvironment()

/** POST /api/users/me/email/confirm: makes the new email address the user's, and returns the user. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, language }) => {
  const { user } = await confirmEmailChange(deps, { ...body, language })
  return { status: 200, body: toUserResource(user) }
})
