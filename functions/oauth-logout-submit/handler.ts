import { seeOther } from '../../lib/http/answer/answer.ts'
import { readForm, readPostedQuery } from '../../lib/http/request/readForm.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { requireOwnForm } from '../../lib/http/security/formProtection.ts'
import { confirmEndOfSession, readPostedEnd } from '../../lib/oauth/session/endSession.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { logoutAnswer } from '../../lib/pages/signIn/logoutAnswer.ts'
import { endSessionDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = endSessionDepsFromEnvironment()

/** POST /api/oauth/logout: the request of a client, or the form of the page, which ends this browser's session, and what first-party clients got in it. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const request = readPostedQuery(event, readPostedEnd)
  // Another site's page sends no cookie with its form, but with the GET (SameSite=Lax).
  if (request !== undefined) return seeOther(`?${request}`)
  const { csrf } = readForm(event, contract.body)
  const visit = { query: event.rawQueryString, secret: requireOwnForm(event, readSessionCookie(event), csrf) }
  return logoutAnswer(await confirmEndOfSession(deps, visit), visit, look)
})
