import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { readProviderCookie, readSessionCookie } from '../../lib/http/security/cookies.ts'
import { foreignToken, formToken, readOwnForm } from '../../lib/http/security/formProtection.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import {
  connectSignIn,
  hostedSignInAnswer,
  isSignInForm,
  submitHostedSignIn,
} from '../../lib/pages/signIn/hostedSignIn.ts'
import { connectionAnswer } from '../../lib/pages/signIn/providerAnswer.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { connectProviderDepsFromEnvironment } from '../../lib/runtime/providers.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { connectProvider, showConnection } from '../../lib/signIn/provider/connectProvider.ts'
import { contract } from './contract.ts'

const deps = connectProviderDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** POST /api/sso/callback: connects the person of a provider with the account that is signed in, or signs in to that. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const form = readForm(event, contract.body)
  const own = readOwnForm(event, readSessionCookie(event), form.csrf)
  const providerSecret = readProviderCookie(event)
  if (isSignInForm(form)) {
    const waiting = await showConnection(deps, undefined, providerSecret)
    const page = connectSignIn(look, waiting.step === 'sign_in' ? waiting.provider : undefined)
    return submitHostedSignIn(deps, { event, look }, { ...own, form }, { ...page, passkeyOrigin })
  }
  const { kind, secret } = own
  if (kind === 'other_cookie') throw foreignToken()
  const waiting = { secret: providerSecret, sessionSecret: secret, language: look.language }
  const step = await connectProvider(deps, await readSession(deps, secret), waiting)
  if (step.step !== 'sign_in') return connectionAnswer(look, step, formToken(secret))
  const page = { ...connectSignIn(look, step.provider), query: '', secret, isNew: false, passkeyOrigin }
  return hostedSignInAnswer(look, await askSignIn(deps, secret), { ...page, email: step.identity.email })
})
