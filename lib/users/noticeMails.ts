import type { Mail } from '../mail/mailer.ts'
import { renderMail } from '../mail/renderMail.ts'

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
