import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { header } from '../../lib/http/request/request.ts'
import { readKnownBrowserCookie, readProviderCookie, readSessionCookie } from '../../lib/http/security/cookies.ts'
import { formToken } from '../../lib/http/security/formProtection.ts'
import { digestRequest } from '../../lib/oauth/authorize/authorizeParameters.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { connectSignIn, hostedSignInAnswer } from '../../lib/pages/signIn/hostedSignIn.ts'
import { connectionAnswer, providerFinishAnswer } from '../../lib/pages/signIn/providerAnswer.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { finishProviderDepsFromEnvironment } from '../../lib/runtime/providers.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { showConnection } from '../../lib/signIn/provider/connectProvider.ts'
import { finishProviderSignIn } from '../../lib/signIn/provider/finishProviderSignIn.ts'

const deps = finishProviderDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** GET /api/sso/callback: the answer of a provider, or the page that connects its person with an account. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const known = readSessionCookie(event)
  const secret = known ?? deps.ids.secret()
  const providerSecret = readProviderCookie(event)
  const query = event.rawQueryString
  if (query !== '') {
    const userAgent = header(event, 'user-agent')
    const from = { userAgent, language: look.language, cookie: readKnownBrowserCookie(event) }
    const browser = { query, providerSecret, secret, from, digestRequest }
    return providerFinishAnswer(look, await finishProviderSignIn(deps, browser))
  }
  const session = await readSession(deps, known)
  const step = await showConnection(deps, session, providerSecret)
  if (step.step !== 'sign_in') return connectionAnswer(look, step, formToken(secret))
  const page = { ...connectSignIn(look, step.provider), query, secret, isNew: known === undefined, passkeyOrigin }
  return hostedSignInAnswer(look, await askSignIn(deps, known), { ...page, email: step.identity.email })
})
