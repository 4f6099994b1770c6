import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import { endedSessionCookie } from '../../http/security/cookies.ts'
import { formToken } from '../../http/security/formProtection.ts'
import type { EndSessionStep } from '../../oauth/session/endSession.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'

/** The answer of the end-of-session endpoint: a page, or a redirect to the client. Deletes the cookie of an ended session. */
export function logoutAnswer(
  step: EndSessionStep,
  visitor: { query: string; secret: string | undefined },
  look: Look,
): HttpResult {
  const next = applicationStep(look)
  if (step.step === 'untrusted')
    return pageAnswer(look, { status: 400, page: messagePage(look, { ...look.texts.untrusted[step.reason], next }) })
  const { location } = step
  if (step.step === 'ended') {
    const cookies = visitor.secret === undefined ? [] : [endedSessionCookie]
    if (location !== undefined) return seeOther(location, cookies)
    return pageAnswer(look, { status: 200, page: messagePage(look, { ...look.texts.signOut.done, next }), cookies })
  }
  return pageAnswer(look, {
    status: 200,
    page: confirmPage(look, step, { action: `?${visitor.query}`, csrf: formToken(visitor.secret ?? '') }),
    formTargets: location === undefined ? [] : [new URL(location).protocol],
  })
}

function confirmPage(
  look: Look,
  { email, clientName }: EndSessionStep & { step: 'confirm' },
  { action, csrf }: { action: string; csrf: string },
): WebPage {
  const { signOut, consent } = look.texts
  return page(look, {
    title: signOut.title,
    body: html`<h1>${signOut.title}</h1>
${clientName !== undefined && html`<p class="lead">${signOut.asks(clientName)}</p>`}
<div class="account"><p>${consent.signedInAs(displayAddress(email))}</p></div>
<p class="lead">${signOut.ends(look.branding.name)}</p>
<form method="post" action="${action}">
${hiddenFields({ csrf })}<button type="submit">${signOut.button}</button>
</form>
<p class="hint">${signOut.hint}</p>`,
  })
}
