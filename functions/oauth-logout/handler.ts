import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { askEndOfSession } from '../../lib/oauth/session/endSession.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { logoutAnswer } from '../../lib/pages/signIn/logoutAnswer.ts'
import { endSessionDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'

const deps = endSessionDepsFromEnvironment()

/** GET /api/oauth/logout: a page that asks whether to sign out, or the redirect back to the client. A first-party client with the id_token of this session ends it. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const visit = { query: event.rawQueryString, secret: readSessionCookie(event) }
  return logoutAnswer(await askEndOfSession(deps, visit), visit, look)
})
