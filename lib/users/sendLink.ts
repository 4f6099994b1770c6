import * as z from 'zod'
import { userIdSchema } from '../core/ids.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailDeps } from './accountDeps.ts'
import { issueLink } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { type LinkMail, noAccount } from './mails.ts'
import type { AccountLinkPurpose, User } from './ports.ts'
import { throttleMail } from './throttle.ts'

/** The answer of everything that ends in a mail: the same for an address that has an account and for one that has none. */
export const mailSent = {
  detail: 'Check your inbox for the next step.',
} as const

/** `mailSent` as a contract has it. */
export const mailSentResource = z.strictObject({ detail: z.literal(mailSent.detail) })

/** Somebody who says to have an account with this e-mail address; `sourceIp` as API Gateway reports it. */
export interface LinkRequest {
  email: string
  sourceIp: string
}

/**
 * Sends one mail, whoever it may concern, after the same work: to the address as its account has it, or, where no account has it,
 * to the address that was given. A link is stored in every case; one of nobody goes nowhere.
 * @param mailFor what the owner of an active account is sent
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function sendLink(
  deps: MailDeps,
  { email, sourceIp }: LinkRequest,
  purpose: AccountLinkPurpose,
  mailFor: (user: User, link: LinkMail) => Mail,
): Promise<void> {
  await throttleMail(deps, { email, sourceIp })
  const account = await deps.accounts.findByEmail(emailKey(email))
  const user = account?.user.isActive ? account.user : undefined
  const to = user?.email ?? email
  const userId = user?.id ?? userIdSchema.parse(deps.ids.uuid())
  const link = await issueLink(deps, { purpose, userId, email: to, securityRev: account?.securityRev ?? 0 })
  await deps.mailer.send(user === undefined ? noAccount({ to }) : mailFor(user, { to, ...link }))
}
