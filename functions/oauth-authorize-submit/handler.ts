import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { seeOther } from '../../lib/http/answer/answer.ts'
import { readForm, readPostedQuery } from '../../lib/http/request/readForm.ts'
import { header, sourceIpOf } from '../../lib/http/request/request.ts'
import { readKnownBrowserCookie, readSessionCookie } from '../../lib/http/security/cookies.ts'
import { foreignToken, readOwnForm } from '../../lib/http/security/formProtection.ts'
import { readPostedRequest } from '../../lib/oauth/authorize/authorizeParameters.ts'
import { authorizeSubmit, continueFromOtherTab } from '../../lib/oauth/authorize/authorizeSubmit.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { authorizeAnswer } from '../../lib/pages/signIn/authorizeAnswer.ts'
import { authorizeSubmitDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = authorizeSubmitDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** POST /api/oauth/authorize: the forms of the sign-in page and the consent page, or an authorization request. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const request = readPostedQuery(event, readPostedRequest)
  // If another site posted the request, the browser sends its cookie only with the GET (SameSite=Lax).
  if (request !== undefined) return seeOther(`?${request}`)
  const form = readForm(event, contract.body)
  const { kind, secret } = readOwnForm(event, readSessionCookie(event), form.csrf)
  const browser = { query: event.rawQueryString, secret }
  const from = {
    sourceIp: sourceIpOf(event),
    knownBrowser: readKnownBrowserCookie(event),
    userAgent: header(event, 'user-agent'),
    language: look.language,
  }
  const step =
    kind === 'own'
      ? await authorizeSubmit(deps, browser, { ...form, ...from })
      : await continueFromOtherTab(deps, browser, form)
  if (step === undefined) throw foreignToken()
  return authorizeAnswer(step, { ...browser, isNew: false, passkeyOrigin }, look)
})
