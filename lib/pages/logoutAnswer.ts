import { html } from '../core/html.ts'
import { seeOther } from '../http/answer.ts'
import type { HttpResult } from '../http/contract.ts'
import { formToken } from '../http/formProtection.ts'
import { endedSessionCookie } from '../http/sessionCookie.ts'
import type { EndSessionStep, UntrustedEnd } from '../oauth/endSessionStep.ts'
import { messagePage } from './messagePage.ts'
import { page } from './page.ts'
import { pageAnswer } from './pageAnswer.ts'

/** The answer of the end-of-session endpoint: a page, or a redirect to the client. Deletes the cookie of an ended session. */
export function logoutAnswer(step: EndSessionStep, visitor: { query: string; secret: string | undefined }): HttpResult {
  if (step.step === 'untrusted') return pageAnswer({ status: 400, page: messagePage(untrusted[step.reason]) })
  const { location } = step
  if (step.step === 'ended') {
    const cookies = visitor.secret === undefined ? [] : [endedSessionCookie]
    if (location !== undefined) return seeOther(location, cookies)
    return pageAnswer({ status: 200, page: messagePage(signedOut), cookies })
  }
  return pageAnswer({
    status: 200,
    page: confirmPage(step, { action: `?${visitor.query}`, csrf: formToken(visitor.secret ?? '') }),
    formTargets: location === undefined ? [] : [new URL(location).protocol],
  })
}

function confirmPage(
  { email, clientName }: EndSessionStep & { step: 'confirm' },
  { action, csrf }: { action: string; csrf: string },
): string {
  const asks =
    clientName !== undefined && html`<p class="lead"><strong>${clientName}</strong> asks to sign you out.</p>`
  return page({
    title: 'Sign out?',
    body: html`<h1>Sign out?</h1>
${asks}
<div class="account"><p>Signed in as <strong>${email}</strong></p></div>
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Sign out</button>
</form>
<p class="hint">If you didn’t request this, close this page to stay signed in.</p>`,
  })
}

const signedOut = { title: 'You are signed out', text: 'You can close this page.' }

/** Constant texts: they never repeat the request. */
const untrusted: Record<UntrustedEnd, { title: string; text: string }> = {
  repeated_parameter: {
    title: 'This link cannot be used',
    text: 'The application that sent you here repeated a parameter. Nothing was changed. You can close this page.',
  },
  unknown_client: {
    title: 'Unknown application',
    text: 'We don’t recognize the application that sent you here. Nothing was changed. You can close this page.',
  },
  untrusted_redirect_uri: {
    title: 'This link cannot be used',
    text: 'The application that sent you here asked for a redirect to an address that is not registered for it. Nothing was changed. You can close this page.',
  },
}
