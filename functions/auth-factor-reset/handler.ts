import { seeOther } from '../../lib/http/answer/answer.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { formToken, requireOwnForm } from '../../lib/http/security/formProtection.ts'
import { lookFor } from '../../lib/pages/kit/look.ts'
import { linkToSignIn } from '../../lib/pages/kit/nextStep.ts'
import { pageAnswer } from '../../lib/pages/kit/pageAnswer.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { lostFactorPage } from '../../lib/pages/signIn/lostFactorPage.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { lostFactorDepsFromEnvironment } from '../../lib/runtime/signIn.ts'
import { type LostFactorStep, lostFactor } from '../../lib/signIn/lostFactor.ts'
import { contract } from './contract.ts'

const deps = lostFactorDepsFromEnvironment()

/** POST /api/auth/factor-reset: the page of a lost second factor, shown when the password was right. */
export const handler = pageEndpoint(pageHttpDeps(), async (event) => {
  const { action, csrf, request } = readForm(event, contract.body)
  const secret = requireOwnForm(event, readSessionCookie(event), csrf)
  const look = lookFor(deps.branding, event, request)
  const state = await lostFactor(deps, { secret, action, language: look.language })
  if (state === undefined) return seeOther(linkToSignIn(look, request).href)
  const page = lostFactorPage(look, { state, request, csrf: formToken(secret) })
  return pageAnswer(look, { ...statusOf(state), page })
})

function statusOf({ retryAfterSeconds: wait }: LostFactorStep) {
  return wait === undefined ? { status: 200 } : { status: 429, headers: { 'retry-after': `${wait}` } }
}
