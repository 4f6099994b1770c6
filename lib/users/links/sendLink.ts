import * as z from 'zod/mini'
import { userIdSchema } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { described, named } from '../../http/schema.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { MailLook } from '../../mail/renderMail.ts'
import type { MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { spendAnonymousMail } from '../mailBudget.ts'
import { deletionPending, type LinkMail } from '../mails.ts'
import type { Account, AccountDeletion, User } from '../ports.ts'
import { isExpiredRegistration } from '../registration.ts'
import { issueLink } from './accountLinks.ts'

/** The answer of every operation that sends a mail: the same with and without an account. */
export const mailSent = {
  detail: 'Check your inbox for the next step.',
} as const

/** `mailSent` for contracts. */
export const mailSentResource = named(
  'MailSent',
  z.strictObject({
    detail: described('Always the same sentence, whether or not there is an account', z.literal(mailSent.detail)),
  }),
)

/** A request for a link. */
export interface LinkRequest {
  email: string
  sourceIp: string
  /** Of the mail. */
  language: Language
  /** The query of the authorization request to return to, already checked; undefined if there is none. */
  request?: string | undefined
}

/**
 * Sends a mail to the address as the account spells it. For an unknown address the work is the same: a link is stored that belongs to no
 * account, and the mail is discarded.
 * @param mailFor builds the mail to the owner of an active account
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function sendLink(
  deps: MailDeps,
  { email, sourceIp, language, request }: LinkRequest,
  purpose: 'verify_email' | 'reset_password',
  mailFor: (look: MailLook, user: Pick<User, 'isVerified'>, link: LinkMail) => Mail,
): Promise<void> {
  await spendAnonymousMail(deps, purpose === 'verify_email' ? 'verification' : 'reset', { email, sourceIp })
  const account = await deps.accounts.findByEmail(emailKey(email))
  if (account?.deletion) return sendWayBack(deps, { ...account, deletion: account.deletion }, language)
  const isKnown = account?.user.isActive && !isExpiredRegistration(account.user, deps.clock.now())
  const user = isKnown ? account.user : { id: userIdSchema.parse(deps.ids.uuid()), email, isVerified: false }
  const securityRev = account?.securityRev ?? 0
  const link = await issueLink(deps, { purpose, userId: user.id, email: user.email, securityRev, request })
  const mail = mailFor({ branding: deps.branding, language }, user, { to: user.email, ...link })
  await (isKnown ? deps.mailer.send(mail) : deps.mailer.discard(mail))
}

/**
 * Sends the link that restores an account, the only mail to its address while it is being deleted. Takes as long as `sendLink` does for any
 * other address.
 * @throws CommonError `service_unavailable`
 */
export async function sendWayBack(
  deps: Pick<MailDeps, 'links' | 'ids' | 'clock' | 'accountUrl' | 'mailer' | 'branding'>,
  { user, securityRev, deletion: { eraseAfter } }: Account & { deletion: AccountDeletion },
  language: Language,
): Promise<void> {
  const { id: userId, email } = user
  const about = { purpose: 'restore_account', userId, email, securityRev, until: eraseAfter } as const
  const { link } = await issueLink(deps, about)
  await deps.mailer.send(deletionPending({ branding: deps.branding, language }, { to: email, link, eraseAfter }))
}
