import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import type { HttpResult } from '../../http/contract.ts'
import { sessionCookie } from '../../http/security/cookies.ts'
import { formToken } from '../../http/security/formProtection.ts'
import type { AccountFormPurpose } from '../../mail/accountLinkUrl.ts'
import { type AccountFormOutcome, accountFormPath } from '../../users/links/accountForm.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { linkToSignIn } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { type AccountForm, accountFormPage } from './accountFormPage.ts'

/** The answer to a form that sends a mail: a message that is the same with and without an account, or the form with its problems. */
export function accountFormAnswer(look: Look, outcome: AccountFormOutcome, form: AccountForm): HttpResult {
  if (outcome.outcome === 'mail_sent') return pageAnswer(look, { status: 200, page: mailSentPage(look, form) })
  const status = outcome.outcome === 'username_taken' ? 409 : 422
  return pageAnswer(look, { status, page: accountFormPage(look, { ...form, problems: outcome.problems }) })
}

/** A visitor of a form. */
interface FormVisit extends Omit<AccountForm, 'csrf'> {
  /** The secret in the browser's cookie. */
  readonly secret: string | undefined
  /** Makes a secret if the browser has no cookie: these forms hold no token of a mail, so the cookie protects them. */
  readonly newSecret: () => string
}

/** The answer with a form that was not submitted yet. */
export function newFormAnswer(
  look: Look,
  status: number,
  { secret: known, newSecret, ...form }: FormVisit,
): HttpResult {
  const secret = known ?? newSecret()
  return pageAnswer(look, {
    status,
    page: accountFormPage(look, { ...form, csrf: formToken(secret) }),
    cookies: known === undefined ? [sessionCookie(secret)] : [],
  })
}

/** Another mail of the same kind: a registration is not made twice. */
const again: Record<AccountFormPurpose, AccountFormPurpose> = {
  register: 'resend_verification',
  forgot_password: 'forgot_password',
  resend_verification: 'resend_verification',
}

/** The page after a mail was sent, the same with and without an account. Sends another mail to the same address. */
export function mailSentPage(look: Look, { purpose, csrf, request = '', email = '' }: AccountForm): WebPage {
  const { mailSent } = look.texts
  const { label, href } = linkToSignIn(look, request)
  return page(look, {
    title: mailSent.title,
    body: html`<h1>${mailSent.title}</h1>
<p class="lead">${mailSent.text(displayAddress(email))}</p>
<form class="after" method="post" action="${accountFormPath(again[purpose], request)}">
${hiddenFields({ csrf, purpose: again[purpose], request, email })}
${mailSent.hint} <button class="link" type="submit">${mailSent.again}</button>.
</form>
<p class="after"><a href="${href}">${label}</a></p>`,
  })
}
