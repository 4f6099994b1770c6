import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { sourceIpOf } from '../../lib/http/request/request.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { foreignToken, formToken, readOwnForm } from '../../lib/http/security/formProtection.ts'
import { decideDevice } from '../../lib/oauth/device/decideDevice.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { DEVICE_PATH, deviceAnswer } from '../../lib/pages/signIn/deviceAnswer.ts'
import { hostedSignInAnswer, isSignInForm, submitHostedSignIn } from '../../lib/pages/signIn/hostedSignIn.ts'
import { decideDeviceDepsFromEnvironment } from '../../lib/runtime/devices.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { contract } from './contract.ts'

const deps = decideDeviceDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)
const signInPage = { path: DEVICE_PATH, passkeyOrigin, returnPage: 'device' as const }

/** POST /api/device: the code of a device and the user's answer to it, or the sign-in to that. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const form = readForm(event, contract.body)
  const own = readOwnForm(event, readSessionCookie(event), form.csrf)
  if (isSignInForm(form)) return submitHostedSignIn(deps, { event, look }, { ...own, form }, signInPage)
  const { kind, secret } = own
  if (kind === 'other_cookie') throw foreignToken()
  const query = event.rawQueryString
  const session = await readSession(deps, secret)
  const sent = { action: form.action, userCode: form.user_code, sourceIp: sourceIpOf(event) }
  const step = session && (await decideDevice(deps, session, sent))
  if (step !== undefined && step.step !== 'sign_in')
    return deviceAnswer(look, step, { action: `?${query}`, csrf: formToken(secret) })
  const page = { ...signInPage, query, secret, isNew: false, email: session?.user.email }
  return hostedSignInAnswer(look, await askSignIn(deps, secret), page)
})
