import { createHash } from 'node:crypto'
import { GRACE } from '../../core/deletion.ts'
import { accountLinkUrl } from '../../mail/accountLinkUrl.ts'
import type { LinkDeps, MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { LinkInvalidError, UserError } from '../errors.ts'
import {
  type Account,
  type AccountLink,
  type AccountLinkPurpose,
  type AccountLinks,
  type EmailTaken,
  type LinkDigest,
  type LinkOutcome,
  type LinkUse,
  linkDigestSchema,
} from '../ports.ts'
import { isExpiredRegistration } from '../registration.ts'

/** How long a change can be undone: 7 days. */
export const UNDO_MINUTES = 7 * 24 * 60

/** How long each link is valid. */
const lifeMinutes: Record<AccountLinkPurpose, number> = {
  verify_email: 24 * 60,
  reset_password: 60,
  change_email: 60,
  undo_email_change: UNDO_MINUTES,
  confirm_factor_reset: 24 * 60,
  undo_factor: UNDO_MINUTES,
  // Until the erasure at most.
  restore_account: GRACE / 60_000,
}

/** SHA-256 as base64url. That is enough for the tokens of links and the secrets of cookies: both have 256 random bits. */
export function digestToken(token: string): LinkDigest {
  return linkDigestSchema.parse(createHash('sha256').update(token).digest('base64url'))
}

/**
 * Stores a new link and returns its URL and lifetime for the mail. Only the mail contains the token.
 * @param about `minutes` replaces the lifetime of the purpose; `until` ends the link earlier, in Unix milliseconds
 */
export async function issueLink(
  {
    links,
    ids,
    clock,
    accountUrl,
  }: Pick<MailDeps, 'ids' | 'clock' | 'accountUrl'> & { links: Pick<AccountLinks, 'issue'> },
  {
    until = Number.POSITIVE_INFINITY,
    minutes,
    ...about
  }: Omit<AccountLink, 'issuedAt' | 'validUntil' | 'usedAt'> & { minutes?: number; until?: number },
): Promise<{ link: string; expiresInMinutes: number }> {
  const token = ids.secret()
  const now = clock.now()
  const validUntil = Math.min(now + (minutes ?? lifeMinutes[about.purpose]) * 60_000, until)
  const expiresInMinutes = Math.floor((validUntil - now) / 60_000)
  await links.issue(digestToken(token), { ...about, issuedAt: now, validUntil })
  return { link: accountLinkUrl(accountUrl, about.purpose, token), expiresInMinutes }
}

/** A valid link and its account. */
interface ValidLink {
  use: LinkUse
  account: Account
}

/**
 * Finds a link without using it.
 * @throws LinkInvalidError if the token is unknown, used, expired or of another purpose, or if the account is inactive or has changed its
 *   password or email address since. A link that undoes a change works whatever changed since, until an earlier change of the email
 *   address is undone.
 */
export async function findLink(
  { links, accounts, clock }: LinkDeps,
  { purpose, token }: { purpose: AccountLinkPurpose; token: string },
): Promise<ValidLink> {
  const digest = digestToken(token)
  const link = await links.find(digest)
  const now = clock.now()
  if (link?.purpose !== purpose) throw new LinkInvalidError('unknown link')
  if (link.usedAt !== undefined) throw new LinkInvalidError('used link', link)
  if (link.validUntil <= now) throw new LinkInvalidError('expired link', link)
  const account = await accounts.find(link.userId)
  if (!account || !isOpen(account, purpose) || isExpiredRegistration(account.user, now)) {
    throw new LinkInvalidError('link of no active account', link)
  }
  if (isVoid(account, link, now)) throw new LinkInvalidError('void link', link)
  return { use: { digest, link, user: account.user, now }, account }
}

/**
 * While an account is being deleted, its user can only restore it, or undo a change of email: an attacker may have moved the account to
 * another address and deleted it.
 */
function isOpen({ user, deletion }: Account, purpose: AccountLinkPurpose): boolean {
  if (purpose === 'restore_account') return deletion !== undefined
  return user.isActive || (purpose === 'undo_email_change' && deletion !== undefined)
}

function isVoid({ user, securityRev, formerEmails }: Account, link: AccountLink, now: number): boolean {
  const former = formerEmails.filter(({ validUntil }) => now < validUntil)
  if (link.purpose === 'undo_email_change') return !former.some(({ change }) => change === link.change)
  // Its request says whether it is void.
  if (link.purpose === 'confirm_factor_reset') return false
  if (link.purpose !== 'undo_factor') return securityRev !== link.securityRev
  // A thief's own address is none of these once its change is undone.
  return ![user, ...former].some(({ email }) => emailKey(email) === emailKey(link.email))
}

/** @throws LinkInvalidError unless the link was used; UserError `email_taken` */
export function requireLinkUsed(outcome: LinkOutcome | EmailTaken, { link, now }: LinkUse): void {
  if (outcome === 'email_taken') throw new UserError(outcome)
  if (outcome !== 'done') throw new LinkInvalidError('link used or void by now', { ...link, usedAt: now })
}
