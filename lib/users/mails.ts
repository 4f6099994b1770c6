import { reasonOf } from '../core/errors.ts'
import { formatDuration } from '../core/formatDuration.ts'
import type { Mail } from '../mail/mailer.ts'
import { renderMail } from '../mail/renderMail.ts'
import type { MailDeps } from './accountDeps.ts'

/** A mail with a link that works once. */
export interface LinkMail {
  readonly to: string
  /** What `accountLinkUrl` made. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To an address that an account was registered with. It names nobody, for it may go to anybody. */
export function verifyEmail({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      'An account was created with this email address. Confirm that the address is yours to use the account.',
    ],
    action: { label: 'Confirm the address', link },
    notes: [once(expiresInMinutes), 'You did not create an account? Then ignore this message: nothing will happen.'],
  })
}

/** To the address of an account whose password somebody says to have forgotten. */
export function resetPassword({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Reset your password',
    paragraphs: ['Somebody asked to reset the password of your account. Choose a new one to sign in again.'],
    action: { label: 'Choose a new password', link },
    notes: [once(expiresInMinutes), 'It was not you? Then ignore this message: your password stays as it is.'],
  })
}

/** To the new address: the change takes effect when this link is used. */
export function emailChangeConfirm({ to, link, expiresInMinutes }: LinkMail): Mail {
  return renderMail({
    to,
    subject: 'Confirm your new email address',
    paragraphs: [
      'This address shall become the email address of an account. Confirm that it is yours, and the account will use it from then on.',
    ],
    action: { label: 'Confirm the new address', link },
    notes: [once(expiresInMinutes), 'You did not ask for this? Then ignore this message: nothing will change.'],
  })
}

/** To the old address when a change is asked for. It keeps the new one to itself, for others may read the old one by now. */
export function emailChangeNotice({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your email address is about to change',
    paragraphs: [
      'Somebody who is signed in to your account and knows its password asked to change its email address. The change takes effect once the new address is confirmed; this address will then no longer work for signing in.',
    ],
    notes: ['It was not you? Then change your password at once: the change that was asked for becomes void.'],
  })
}

/** To the owner after a password was changed or reset. */
export function passwordChanged({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed. Wherever else you were signed in, you have been signed out.',
    ],
    notes: ['It was not you? Then reset your password at once, with “Forgot password” on the sign-in page.'],
  })
}

/** Instead of `verifyEmail` to an address that has an account already: only its owner learns that. */
export function accountExists({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'Somebody tried to create an account with this email address, but there is one already. Sign in to it as usual, or use “Forgot password” on the sign-in page.',
    ],
    notes: ['It was not you? Then ignore this message: your account is as it was.'],
  })
}

/** Instead of a link to an address that no account has, or none that may be used: only who reads its mail learns that. */
export function noAccount({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'There is no account with this email address',
    paragraphs: [
      'Somebody asked us to send a link for an account with this email address, but there is none that can be used. Perhaps you registered with another address.',
    ],
    notes: ['It was not you? Then ignore this message: nothing will happen.'],
  })
}

/** Instead of `verifyEmail` to an address that is confirmed already. */
export function alreadyVerified({ to }: { readonly to: string }): Mail {
  return renderMail({
    to,
    subject: 'Your email address is confirmed already',
    paragraphs: ['Somebody asked to confirm the email address of your account, but that is done: sign in as usual.'],
    notes: ['It was not you? Then ignore this message: nothing will happen.'],
  })
}

/** Sends a mail about something that is done: whether it can be sent changes nothing about that any more. Never fails. */
export async function notify({ mailer, logger }: Pick<MailDeps, 'mailer' | 'logger'>, mail: Mail): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => logger.error('Mail not sent', { reason: reasonOf(error) }))
}

function once(expiresInMinutes: number): string {
  return `The link works once, and for ${formatDuration(expiresInMinutes)}.`
}
