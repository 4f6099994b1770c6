import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { knownBrowserCookie } from '../../lib/http/security/cookies.ts'
import { resetDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { resetPassword } from '../../lib/users/password/resetPassword.ts'
import { contract } from './contract.ts'

const deps = resetDepsFromEnvironment()

/** POST /api/auth/password/reset: sets a new password, given the token of a mail. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, language, knownBrowser: known }) => {
  const { token, password, remove_authenticators: removeAuthenticators } = body
  const reset = { token, password, removeAuthenticators, language, knownBrowser: known }
  const { provenUser } = await resetPassword(deps, reset)
  return { status: 200, body: null, headers: { 'set-cookie': knownBrowserCookie(provenUser.knownBrowser) } }
})
