import { etagOf, ifMatch } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { usersFromEnvironment } from '../../lib/runtime/accounts.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { brandingFromEnvironment } from '../../lib/runtime/settings.ts'
import { updateProfile } from '../../lib/users/account/updateProfile.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { contract } from './contract.ts'

const deps = { users: usersFromEnvironment(), clock, serviceName: brandingFromEnvironment().name }

/** PATCH /api/users/me: updates the signed-in user's profile. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, headers, body }) => {
  const user = await updateProfile(deps, caller, body, ifMatch(headers, toUserResource))
  const resource = toUserResource(user)
  return { status: 200, body: resource, headers: { etag: etagOf(resource) } }
})
