import { readAnswer } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { usersFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { toUserResource } from '../../lib/users/account/userResource.ts'
import { contract } from './contract.ts'

const users = usersFromEnvironment()

/** GET /api/users/me: the signed-in user. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, headers }) => {
  const user = await users.findCaller(caller)
  return readAnswer(toUserResource(user), headers)
})
