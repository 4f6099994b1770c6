import { scopesIn } from '../../lib/core/scopes.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { InsufficientScopeError } from '../../lib/http/errors.ts'
import { userInfoOf } from '../../lib/oauth/token/userInfo.ts'
import { usersFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { getUser } from '../../lib/users/account/getUser.ts'
import { contract } from './contract.ts'

const users = usersFromEnvironment()

/**
 * GET and POST /api/oauth/userinfo: what the client was allowed to learn of its user. A sign-in without `openid` has no UserInfo. Reads no body:
 * a token there is as good as none (401).
 */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  if (!scopesIn(caller.scope).includes('openid')) throw new InsufficientScopeError('openid')
  return { status: 200, body: userInfoOf(await getUser(users, caller), caller.scope) }
})
