import { reasonOf } from '../core/errors.ts'
import { formatDuration } from '../core/formatDuration.ts'
import type { Mail } from '../mail/mailer.ts'
import { renderMail } from '../mail/renderMail.ts'
import type { MailDeps } from './accountDeps.ts'

/** A mail with a single-use link. */
export interface LinkMail {
  readonly to: string
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To the address of a new account. Contains no name, because the recipient may be a stranger. */
export function verifyEmail({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      'You created an account with this email address. Confirm that the address is yours to use your account.',
    ],
    action: { label: 'Confirm email address', link },
    notes: [once(expiresInMinutes), 'If you didn’t create an account, you can ignore this email.'],
  })
}

/** To the address of an account, after a request to reset its password. */
export function resetPassword({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Reset your password',
    paragraphs: ['We received a request to reset the password of your account.'],
    action: { label: 'Choose a new password', link },
    notes: [
      once(expiresInMinutes),
      'If you didn’t request this, you can ignore this email. Your password won’t change.',
    ],
  })
}

/** To the new address. The change takes effect when the link is used. */
export function emailChangeConfirm({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Confirm your new email address',
    paragraphs: [
      'We received a request to use this email address for an account. Confirm that the address is yours to complete the change.',
    ],
    action: { label: 'Confirm new email address', link },
    notes: [once(expiresInMinutes), 'If you didn’t request this, you can ignore this email. Nothing will change.'],
  })
}

/** To the current address, after a request to change it. Does not name the new one: others may read this mailbox by now. */
export function emailChangeNotice({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your email address is about to change',
    paragraphs: [
      'We received a request to change the email address of your account. It was made by a signed-in user with your current password. Once the new address is confirmed, you can no longer sign in with this one.',
    ],
    notes: ['If this wasn’t you, change your password now. This also cancels the request.'],
  })
}

/** After a password was changed or reset. */
export function passwordChanged({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed. You were signed out everywhere else.'],
    notes: ['If this wasn’t you, reset your password now: choose “Forgot password?” on the sign-in page.'],
  })
}

/** Instead of `verifyEmail`, to an address that has an account: only its owner learns that. */
export function accountExists({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'We received a request to create an account with this email address, but you already have one. Sign in as usual, or choose “Forgot password?” on the sign-in page.',
    ],
    notes: ['If this wasn’t you, you can ignore this email. Your account has not changed.'],
  })
}

/** Instead of a link, to an address without an active account: only its owner learns that. */
export function noAccount({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'There is no account with this email address',
    paragraphs: [
      'We received a request to send a link for an account with this email address, but no active account uses it. You may have signed up with a different address.',
    ],
    notes: ['If this wasn’t you, you can ignore this email.'],
  })
}

/** Instead of `verifyEmail`, to an address that is already confirmed. */
export function alreadyVerified({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your email address is already confirmed',
    paragraphs: [
      'We received a request to confirm the email address of your account. It is already confirmed: sign in as usual.',
    ],
    notes: ['If this wasn’t you, you can ignore this email.'],
  })
}

/** Sends a mail about a completed change. Never throws: a failure is logged and does not undo the change. */
export async function notify({ mailer, logger }: Pick<MailDeps, 'mailer' | 'logger'>, mail: Mail): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => logger.error('Mail not sent', { reason: reasonOf(error) }))
}

function once(expiresInMinutes: number): string {
  return `This link works once and expires in ${formatDuration(expiresInMinutes)}.`
}
