import { html } from '../../core/html.ts'
import { endedSessionCookie, knownBrowserCookie, sessionCookie } from '../../http/security/cookies.ts'
import type { DeviceCodeProblem } from '../../oauth/device/decideDevice.ts'
import type { SessionChange } from '../../oauth/session/session.ts'
import type { SecondFactorProblem, SignInProblem, SignInQuestion } from '../../signIn/askSignIn.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import { emailField, hiddenFields, passwordField } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'
import type { PageAnswer } from '../kit/pageAnswer.ts'
import { passkeyForm } from './passkeyForm.ts'
import { startAddress } from './returnAddress.ts'
import { type SignInPlace, secondFactorPage } from './secondFactorPage.ts'

/** The page of a sign-in's first form or its second, for `pageAnswer`. */
export function signInForm(
  look: Look,
  question: SignInQuestion,
  place: SignInPlace,
): Pick<PageAnswer, 'status' | 'headers' | 'page'> {
  const page =
    question.step === 'password'
      ? loginPage(look, { ...place, ...question })
      : secondFactorPage(look, { ...place, ...question })
  return { ...statusOf(question.problem), page }
}

/** Not 401, which requires a challenge (RFC 9110 §15.5.2), nor 422, whose body is a list of problems in this API. */
export function statusOf(
  problem: SignInProblem | SecondFactorProblem | DeviceCodeProblem | undefined,
): Pick<PageAnswer, 'status' | 'headers'> {
  if (problem === undefined) return { status: 200 }
  if (problem.code !== 'too_many_attempts') return { status: 400 }
  return { status: 429, headers: { 'retry-after': `${problem.retryAfterSeconds}` } }
}

/** Values of `Set-Cookie` for a change of the browser's session. */
export function sessionCookies(session: SessionChange | undefined): string[] {
  if (session === undefined) return []
  if (session === 'ended') return [endedSessionCookie]
  const { started, maxAgeSeconds, knownBrowser } = session
  return [sessionCookie(started, maxAgeSeconds), ...(knownBrowser ? [knownBrowserCookie(knownBrowser)] : [])]
}

/** The sign-in page, with the problem of the last attempt. */
function loginPage(look: Look, form: SignInPlace & Extract<SignInQuestion, { step: 'password' }>): WebPage {
  const { clientName, email, problem, notice, request, action, csrf, passkeyOrigin, returnTo, providers } = form
  const { signIn, next, forms } = look.texts
  const isWrong = problem?.code === 'wrong_credentials'
  // The message must not reveal if the email or the password is wrong.
  const noticeId = isWrong ? 'problem' : undefined
  const fields = html`${emailField(look, { value: email, noticeId, hasFocus: email === '', hasPasskey: true })}
${passwordField(look, { kind: 'current', noticeId, hasFocus: email !== '' })}`
  return page(look, {
    title: isWrong ? signIn.failedTitle : signIn.title,
    hasPassword: true,
    hasPasskey: true,
    body: html`<h1>${signIn.title}</h1>
<p class="lead">${signIn.lead(clientName)}</p>
${notice !== undefined && html`<p class="notice">${notice}</p>`}
${problem && html`<p class="notice bad" id="problem" role="alert">${problemText(look, problem)}</p>`}
<form method="post" action="${action}">
${hiddenFields({ csrf, action: 'login' })}${fields}
<button type="submit">${signIn.button}</button>
</form>
${passkeyForm(look, { purpose: 'sign_in', passkeyOrigin, action, csrf })}
${returnTo && providers.map(({ id, name }) => html`<a class="button plain provider" href="${startAddress(id, returnTo)}">${signIn.withProvider(name)}</a>`)}
<p class="after"><a href="${accountFormPath('forgot_password', request)}">${signIn.forgotPassword}</a></p>
<p class="after">${signIn.noAccount} <a href="${accountFormPath('register', request)}">${next.createAccount}</a></p>
${isWrong && html`<p class="after"><a href="${accountFormPath('resend_verification', request)}">${forms.resend_verification.title}</a></p>`}`,
  })
}

function problemText({ texts }: Look, problem: SignInProblem): string {
  if (problem.code === 'wrong_credentials') return texts.problems.wrong_credentials
  if (problem.code === 'sign_in_expired') return texts.signIn.expired
  if (problem.code === 'passkey_refused') return texts.secondFactor.passkey_refused
  if (problem.code === 'passkey_too_new') return texts.secondFactor.passkey_too_new
  return texts.signIn.tooManyAttempts(problem.retryAfterSeconds)
}
