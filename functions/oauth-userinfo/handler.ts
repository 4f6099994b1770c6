import { scopesIn } from '../../lib/core/scopes.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { InsufficientScopeError } from '../../lib/http/errors.ts'
import { userInfoOf } from '../../lib/oauth/token/userInfo.ts'
import { usersFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const users = usersFromEnvironment()

/**
 * GET and POST /api/oauth/userinfo: returns the claims that the user allowed the client. 403 if the scope lacks `openid`. Reads no
 * body: 401 if the token is in the body.
 */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  if (!scopesIn(caller.scope).includes('openid')) throw new InsufficientScopeError('openid')
  return { status: 200, body: userInfoOf(await users.findCaller(caller), caller.scope) }
})
