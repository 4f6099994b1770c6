import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
import type { SecondFactorProblem, SignInQuestion } from '../../signIn/askSignIn.ts'
import type { ReturnPage } from '../../signIn/provider/ports.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'
import { LOST_FACTOR_PATH } from './lostFactorPage.ts'
import { passkeyForm } from './passkeyForm.ts'

/** The context of a sign-in form. */
export interface SignInPlace {
  /** Said before the form. */
  readonly notice?: string | undefined
  /** The name of the client that the user signs in to. */
  readonly clientName: string
  /** The query of the authorization request, to which the pages that it links to lead back; undefined if there is none. */
  readonly request: string | undefined
  /** Where a sign-in at a provider leads back to; undefined if the page offers none. */
  readonly returnTo: ReturnPage | undefined
  /** The form's target, including its query. */
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
  /** The origin on which passkeys work: `relyingPartyOf` the issuer. */
  readonly passkeyOrigin: string
}

type SecondFactorForm = SignInPlace & Extract<SignInQuestion, { step: 'second_factor' }>

/** Asks for a second factor after a right password, with the problem of the last try. Codes need no script. */
export function secondFactorPage(look: Look, form: SecondFactorForm): WebPage {
  const { email, factors, problem, action, csrf, request = '', passkeyOrigin } = form
  const hasPasskey = factors.includes('passkey')
  const { secondFactor, signIn, consent } = look.texts
  return page(look, {
    title: problem === undefined ? secondFactor.title : signIn.failedTitle,
    hasPasskey,
    body: html`<h1>${secondFactor.title}</h1>
<form class="account" method="post" action="${action}">
${hiddenFields({ csrf })}<p>${secondFactor.signingInAs(displayAddress(email))}</p>
<button class="link" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
${problem && html`<p class="notice bad" id="problem" role="alert">${problemText(look, problem)}</p>`}
${problem?.code === 'factor_suspended' && html`<p><a href="${accountFormPath('forgot_password', request)}">${secondFactor.resetPassword}</a></p>`}
${hasPasskey && passkeyForm(look, { purpose: 'second_factor', passkeyOrigin, action, csrf })}
${factors.includes('totp') && codeForm(look, form, 'totp')}
${factors.includes('recovery_code') && recoveryForm(look, form)}
<form class="after" method="post" action="${LOST_FACTOR_PATH}">
${hiddenFields({ csrf, request })}<button class="link" type="submit" name="action" value="read">${look.texts.lostFactor.link}</button>
</form>`,
  })
}

/** A recovery code is for the case that the others are lost: its form is opened first, without script. */
function recoveryForm(look: Look, form: SecondFactorForm): Html {
  const isOpen = form.problem?.factor === 'recovery_code'
  return html`<details class="after"${isOpen && html` open`}>
<summary>${look.texts.secondFactor.useRecoveryCode}</summary>
${codeForm(look, form, 'recovery_code')}
</details>`
}

const inputs = {
  totp: { id: 'code', attributes: html` inputmode="numeric" autocomplete="one-time-code" maxlength="16"` },
  recovery_code: {
    id: 'recovery-code',
    attributes: html` autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64"`,
  },
} as const

function codeForm(look: Look, { problem, factors, action, csrf }: SecondFactorForm, kind: keyof typeof inputs): Html {
  const { label, rule, button } = look.texts.secondFactor[kind]
  const { id, attributes } = inputs[kind]
  const isWrong = problem?.factor === kind
  const hasFocus = isWrong || (kind === 'totp' && problem?.factor !== 'recovery_code' && !factors.includes('passkey'))
  const described = isWrong
    ? html` aria-describedby="problem ${id}-rule" aria-invalid="true"`
    : html` aria-describedby="${id}-rule"`
  return html`<form method="post" action="${action}">
${hiddenFields({ csrf, action: 'second_factor', factor: kind })}<label for="${id}">${label}</label>
<input id="${id}" name="proof"${attributes} required${described}${hasFocus && html` autofocus`}>
<p class="hint" id="${id}-rule">${rule}</p>
<button type="submit"${kind === 'recovery_code' && html` class="plain"`}>${button}</button>
</form>`
}

function problemText({ texts }: Look, problem: SecondFactorProblem): string {
  if (problem.code === 'too_many_attempts') return texts.signIn.tooManyAttempts(problem.retryAfterSeconds)
  return texts.secondFactor[problem.code]
}
