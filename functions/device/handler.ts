import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { RequestError } from '../../lib/http/errors.ts'
import { parameters } from '../../lib/http/request/validated.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { formToken } from '../../lib/http/security/formProtection.ts'
import { showDevice } from '../../lib/oauth/device/decideDevice.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { DEVICE_PATH, deviceAnswer } from '../../lib/pages/signIn/deviceAnswer.ts'
import { hostedSignInAnswer } from '../../lib/pages/signIn/hostedSignIn.ts'
import { showDeviceDepsFromEnvironment } from '../../lib/runtime/devices.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { contract } from './contract.ts'

const deps = showDeviceDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** GET /api/device: the page on which a person types the code of a device, or the sign-in to it. */
export const handler = pageEndpoint(pageHttpDeps(), async ({ rawQueryString: query, ...event }, look) => {
  if (!contract.query.safeParse(parameters(query)).success)
    throw new RequestError('unreadable_form', { message: 'not a page of devices' })
  const known = readSessionCookie(event)
  const session = await readSession(deps, known)
  const step = session && (await showDevice(deps, session))
  const secret = known ?? deps.ids.secret()
  if (step !== undefined && step.step !== 'sign_in')
    return deviceAnswer(look, step, { action: `?${query}`, csrf: formToken(secret) })
  const page = {
    path: DEVICE_PATH,
    query,
    secret,
    isNew: known === undefined,
    passkeyOrigin,
    returnPage: 'device' as const,
  }
  return hostedSignInAnswer(look, await askSignIn(deps, known), { ...page, email: session?.user.email })
})
