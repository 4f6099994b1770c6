import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import { CALLBACK_PATH } from '../../core/providerUrls.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import { endedProviderCookie, providerCookie } from '../../http/security/cookies.ts'
import {
  type beginProviderSignIn,
  type FailedProviderSignIn,
  PROVIDER_SIGN_IN_SECONDS,
  type ProviderProblem,
} from '../../signIn/provider/beginProviderSignIn.ts'
import type { Connected, ConnectionStep } from '../../signIn/provider/connectProvider.ts'
import type { FinishedProviderSignIn } from '../../signIn/provider/finishProviderSignIn.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { addressOf } from './returnAddress.ts'
import { sessionCookies } from './signInForm.ts'

/** Leads the browser to the provider. */
export function providerStartAnswer(look: Look, step: Awaited<ReturnType<typeof beginProviderSignIn>>): HttpResult {
  if (step.step === 'failed') return failedAnswer(look, step)
  return seeOther(step.url, [providerCookie(step.secret, PROVIDER_SIGN_IN_SECONDS)])
}

/** Leads the browser from the provider to the page that it came from, or to the question which account the identity gets. */
export function providerFinishAnswer(look: Look, step: FinishedProviderSignIn): HttpResult {
  if (step.step === 'failed') return failedAnswer(look, step)
  if (step.step === 'connect') return seeOther(CALLBACK_PATH)
  return seeOther(addressOf(step.returnTo), [...sessionCookies(step.session), endedProviderCookie])
}

/** Asks if the account that is signed in gets the identity, or says that it has. */
export function connectionAnswer(
  look: Look,
  step: Exclude<ConnectionStep, { step: 'sign_in' }> | Connected,
  csrf: string,
): HttpResult {
  if (step.step === 'failed') return failedAnswer(look, step)
  if (step.step === 'connected')
    return seeOther(addressOf(step.returnTo), [...sessionCookies(step.session), endedProviderCookie])
  const { provider, consent } = look.texts
  const { email } = step.identity
  const title = provider.connect(step.provider)
  return pageAnswer(look, {
    status: 200,
    page: page(look, {
      title,
      body: html`<h1>${title}</h1>
<p class="lead">${provider.connectLead(step.provider, email === undefined ? undefined : displayAddress(email))}</p>
<div class="account"><p>${consent.signedInAs(displayAddress(step.email))}</p></div>
<form class="actions" method="post" action="${CALLBACK_PATH}">
${hiddenFields({ csrf })}<button type="submit" name="action" value="connect">${provider.connectButton}</button>
<button class="plain" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
<p class="after"><a href="${addressOf(step.returnTo)}">${provider.notNow}</a></p>`,
    }),
  })
}

const statuses: Readonly<Record<ProviderProblem, number>> = {
  unknown_provider: 404,
  unreachable: 503,
  expired: 400,
  denied: 400,
  answer_refused: 400,
  account_off: 403,
  already_connected: 409,
  foreign_address: 403,
}

/** Says why the user is not signed in, and leads to the other ways. */
function failedAnswer(look: Look, { problem, provider, returnTo }: FailedProviderSignIn): HttpResult {
  const { provider: texts, next } = look.texts
  const { title, text } = texts.problems[problem]
  const way = returnTo ? { label: next.signIn, href: addressOf(returnTo) } : applicationStep(look)
  return pageAnswer(look, {
    status: statuses[problem],
    page: messagePage(look, { title, text: text(provider ?? texts.unnamed), next: way }),
    // A link of another site, which has not its state, does not end the sign-in that is under way.
    cookies: problem === 'expired' ? [] : [endedProviderCookie],
  })
}
