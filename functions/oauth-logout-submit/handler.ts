import { readForm } from '../../lib/http/request/readForm.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { requireOwnForm } from '../../lib/http/security/formProtection.ts'
import { confirmEndOfSession } from '../../lib/oauth/session/endSession.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { logoutAnswer } from '../../lib/pages/signIn/logoutAnswer.ts'
import { endSessionDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = endSessionDepsFromEnvironment()

/** POST /api/oauth/logout: ends this browser's session, and what first-party clients got in it. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const { csrf } = readForm(event, contract.body)
  const visit = { query: event.rawQueryString, secret: requireOwnForm(event, readSessionCookie(event), csrf) }
  return logoutAnswer(await confirmEndOfSession(deps, visit), visit, look)
})
