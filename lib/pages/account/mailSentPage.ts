import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import type { AccountFormPurpose } from '../../mail/accountLinkUrl.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import type { Look } from '../kit/look.ts'
import { linkToSignIn } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { type AccountForm, hiddenFields } from './accountFormPage.ts'

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
${hiddenFields({ csrf, purpose: again[purpose], request })}
<input type="hidden" name="email" value="${email}">
${mailSent.hint} <button class="link" type="submit">${mailSent.again}</button>.
</form>
<p class="after"><a href="${href}">${label}</a></p>`,
  })
}
