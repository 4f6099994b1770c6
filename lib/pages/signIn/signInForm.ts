import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
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
  return { ...statusOf(question.problem), page: pageOf(look, question, place) }
}

function pageOf(look: Look, question: SignInQuestion, place: SignInPlace): WebPage {
  if (question.step === 'address') return addressPage(look, { ...place, ...question })
  if (question.step === 'password') return loginPage(look, { ...place, ...question })
  return secondFactorPage(look, { ...place, ...question })
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

type AddressForm = SignInPlace & Extract<SignInQuestion, { step: 'address' }>

/** Asks for the address alone: its domain decides which ways to sign in the next page offers. */
function addressPage(look: Look, form: AddressForm): WebPage {
  const { clientName, email, problem, notice, request, action, csrf } = form
  const { signIn, next } = look.texts
  return page(look, {
    title: problem === undefined ? signIn.title : signIn.failedTitle,
    body: html`${heading(look, { clientName, notice, problem })}
<form method="post" action="${action}">
${hiddenFields({ csrf, action: 'address' })}${emailField(look, { value: email, hasFocus: true })}
<button type="submit">${signIn.next}</button>
</form>
<p class="after">${signIn.noAccount} <a href="${accountFormPath('register', request)}">${next.createAccount}</a></p>`,
  })
}

function heading(
  look: Look,
  { clientName, notice, problem }: Pick<SignInPlace, 'clientName' | 'notice'> & { problem?: SignInProblem | undefined },
): Html {
  const { signIn } = look.texts
  return html`<h1>${signIn.title}</h1>
<p class="lead">${signIn.lead(clientName)}</p>
${notice !== undefined && html`<p class="notice">${notice}</p>`}
${problem && html`<p class="notice bad" id="problem" role="alert">${problemText(look, problem)}</p>`}`
}

/** The sign-in page, with the problem of the last attempt. */
function loginPage(look: Look, form: SignInPlace & Extract<SignInQuestion, { step: 'password' }>): WebPage {
  const { email, problem, request, action, csrf, passkeyOrigin, returnTo, providers, isAddressKnown } = form
  const { signIn, next, forms } = look.texts
  const company = returnTo && form.company
  const isWrong = problem?.code === 'wrong_credentials'
  // The message must not reveal if the email or the password is wrong.
  const noticeId = isWrong ? 'problem' : undefined
  const address = isAddressKnown
    ? hiddenFields({ email })
    : emailField(look, { value: email, noticeId, hasFocus: email === '', hasPasskey: true })
  const hasFocus = email !== '' && company === undefined
  const fields = html`${address}
${passwordField(look, { kind: 'current', noticeId, hasFocus })}`
  return page(look, {
    title: isWrong ? signIn.failedTitle : signIn.title,
    hasPassword: true,
    hasPasskey: true,
    body: html`${heading(look, form)}
${isAddressKnown && knownAddress(look, form)}
${returnTo && company && html`<a class="button company" href="${startAddress(company.id, returnTo, email)}">${signIn.withProvider(company.name)}</a>`}
<form method="post" action="${action}">
${hiddenFields({ csrf, action: 'login' })}${fields}
<button type="submit"${company && html` class="plain"`}>${signIn.button}</button>
</form>
${passkeyForm(look, { purpose: 'sign_in', passkeyOrigin, action, csrf })}
${returnTo && providers.map(({ id, name }) => html`<a class="button plain provider" href="${startAddress(id, returnTo)}">${signIn.withProvider(name)}</a>`)}
<p class="after"><a href="${accountFormPath('forgot_password', request)}">${signIn.forgotPassword}</a></p>
<p class="after">${signIn.noAccount} <a href="${accountFormPath('register', request)}">${next.createAccount}</a></p>
${isWrong && html`<p class="after"><a href="${accountFormPath('resend_verification', request)}">${forms.resend_verification.title}</a></p>`}`,
  })
}

/** The address that the page before asked for, with the way back to that page. */
function knownAddress({ texts }: Look, { email, action }: Pick<AddressForm, 'email' | 'action'>): Html {
  return html`<div class="account"><p>${texts.secondFactor.signingInAs(displayAddress(email))}</p>
<p><a href="${action}">${texts.signIn.otherAddress}</a></p></div>`
}

function problemText({ texts }: Look, problem: SignInProblem): string {
  if (problem.code === 'wrong_credentials') return texts.problems.wrong_credentials
  if (problem.code === 'sign_in_expired') return texts.signIn.expired
  if (problem.code === 'passkey_refused') return texts.secondFactor.passkey_refused
  if (problem.code === 'passkey_too_new') return texts.secondFactor.passkey_too_new
  return texts.signIn.tooManyAttempts(problem.retryAfterSeconds)
}
