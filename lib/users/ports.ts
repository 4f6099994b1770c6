import * as z from 'zod/mini'
import type { Deletion } from '../core/deletion.ts'
import type { Caller, Principal } from '../core/identity.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { LinkPurpose } from '../mail/accountLinkUrl.ts'
import type { EmailKey } from './emailKey.ts'
import type { PasswordAdvice } from './passwordAdvice.ts'

/** A person with an account. */
export interface User {
  id: UserId
  email: string
  /** As the user writes it; unique without regard to case. */
  username: string
  isActive: boolean
  isVerified: boolean
  isSuperuser: boolean
  /** Unix milliseconds. */
  createdAt: number
}

/** `conflict`: the user is no longer as the change expects, or no longer exists; read again. */
export type RenameOutcome = 'renamed' | 'username_taken' | 'conflict'

/** An email belongs to one account. A registration does not hold it: it has proved nothing, and gives way. */
export type EmailTaken = 'email_taken'

/** `username_taken` comes first if both the name and the email are taken. */
type CreateUserOutcome = 'created' | 'already_exists' | 'username_taken' | EmailTaken

export interface Users {
  find(userId: UserId): Promise<User | undefined>
  /** The user who calls. Throws CommonError `invalid_token` where the caller's grant has ended. */
  findCaller(caller: Caller): Promise<User>
  /**
   * Changes the username and frees the old one in one transaction: two users never have the same name. With `unchanged` only while every
   * member of the user is still as there.
   */
  rename(
    userId: UserId,
    names: { from: string; to: string; now: number; unchanged?: User | undefined },
  ): Promise<RenameOutcome>
  /**
   * Stores a new user with a free username and a free email address. Keeps an existing user of the same id: safe to repeat. A registration
   * that is not verified holds no address: it gives way to the new user, and its links do nothing from then on. A new user who is not
   * verified is one: it ends, and frees the name, at `registrationEnd`.
   * @param passwordHash made by `Passwords`; without one the user cannot sign in
   */
  create(user: User, passwordHash?: string): Promise<CreateUserOutcome>
  /**
   * Reserves a username as `create` does for a registration, where the address has an account already: until `registrationEnd`, for another
   * registration with this address. `conflict`: the account is gone.
   */
  reserveName(user: User, account: User): Promise<'reserved' | 'username_taken' | 'conflict'>
}

/** For an operation that reads nothing of the caller otherwise. */
export interface Callers {
  /** One read. Throws CommonError `invalid_token` where the caller's grant has ended, `service_unavailable` where that is not known. */
  requireLive(caller: Principal): Promise<void>
}

/** A user with the account's security state. Only `user` may be returned to callers. */
export interface Account {
  user: User
  /** PHC string of argon2id; undefined for an account without a password. */
  passwordHash: string | undefined
  /**
   * Incremented by each change of the password or the email address, which ends every session, code and token issued under an earlier
   * one, and voids earlier links.
   */
  securityRev: number
  /** The one family that the last increment did not end. */
  keptFamily: string | undefined
  /** The addresses that the account had before its changes of the last 72 hours, oldest first: each can be had back. */
  formerEmails: readonly FormerEmail[]
  /** Of an account that is being deleted: it is not active. */
  deletion?: AccountDeletion | undefined
  /** How often others have made the user an owner: it differs where that was done since the account was read. */
  promotions?: number | undefined
  /** Whether the user has a passkey or TOTP: written in the transactions that add and remove them. */
  hasSecondFactor?: boolean | undefined
}

/** An address that a change of email replaced. */
export interface FormerEmail {
  /** The link that confirmed the change. */
  change: LinkDigest
  email: string
  /** Unix milliseconds; until then the change can be undone. */
  validUntil: number
}

/** The deletion of an account. */
export interface AccountDeletion extends Deletion {
  /** Those deleted with it: the user is their only member. */
  organizations: OrganizationId[]
}

/** A user whose password was right, with the account's revision as it was read for that. */
export interface SignedIn extends User {
  securityRev: number
}

/** SHA-256 of a link's token as base64url. The brand prevents storing the token itself. */
export const linkDigestSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/))
  .brand<'LinkDigest'>()
export type LinkDigest = z.infer<typeof linkDigestSchema>

/** What a link in a mail does to an account. */
export type AccountLinkPurpose = Exclude<LinkPurpose, 'invitation'>

/** A stored link, found by the digest of its token. */
export interface AccountLink {
  purpose: AccountLinkPurpose
  userId: UserId
  /** The address that the link is sent to; using the link verifies it. */
  email: string
  /** The account's `securityRev` when the link was issued. */
  securityRev: number
  /** The family of the client that asked for a change of the email address, which that change keeps. */
  familyId?: string | undefined
  /** The change that the link undoes. */
  change?: LinkDigest | undefined
  /** Unix milliseconds. */
  validUntil: number
  /** The query of the authorization request that its user began with, to go back to; none where there was none. */
  request?: string | undefined
  /** Of the secret in the cookie of the browser whose user chose the account's password with this link; of a registration at most. */
  browser?: LinkDigest | undefined
  /** Unix milliseconds; undefined while unused. */
  usedAt?: number | undefined
}

export interface AccountLinks {
  /** A used link is found until it expires, so that using it twice leads on to where its user was going. */
  find(digest: LinkDigest): Promise<AccountLink | undefined>
  /** Stores a new link, for one use until `validUntil`. */
  issue(digest: LinkDigest, link: Omit<AccountLink, 'usedAt'>): Promise<void>
}

/** A link that its user is offered after another one. */
export interface NextLink {
  readonly purpose: 'reset_password' | 'restore_account'
  readonly url: string
}

/** The use of a link at `now`, in Unix milliseconds, by a user as read before. */
export interface LinkUse {
  digest: LinkDigest
  link: AccountLink
  user: User
  now: number
}

/** `link_invalid`: used or expired by now, or the account's password or email address has changed since it was issued. */
export type LinkOutcome = 'done' | 'link_invalid'

/** A new password's hash. It ends every grant but the family `keptFamily`. */
export interface NewPassword {
  passwordHash: string
  keptFamily: string | undefined
}

/**
 * Each method with a `LinkUse` uses the link in the same transaction: of concurrent callers exactly one gets `done`. One that verifies the
 * address of a registration makes it an account, unless it gave way to another one.
 */
export interface Accounts {
  find(userId: UserId): Promise<Account | undefined>
  /** The account of the user who calls. Throws CommonError `invalid_token` where the caller's grant has ended. */
  findCaller(caller: Caller): Promise<Account>
  /** The account or registration with this address, an expired one included. Takes as long without one as with one. */
  findByEmail(emailKey: EmailKey): Promise<Account | undefined>
  /** Replaces the hash of the same password by one with current parameters, unless it has changed. Ends no session. */
  rehash(userId: UserId, hashes: { from: string; to: string }): Promise<void>
  /** `conflict`: the password or email address has changed since `securityRev`; nothing was written. */
  changePassword(account: Account, to: NewPassword): Promise<'changed' | 'conflict'>
  /** Ends every grant of the account, and voids the links in earlier mails. `conflict`: it was changed since; nothing was written. */
  endGrants(account: Account): Promise<'ended' | 'conflict'>
  verifyEmail(use: LinkUse): Promise<LinkOutcome>
  /** Also marks the email address as verified: the link was sent there. */
  resetPassword(use: LinkUse, to: NewPassword): Promise<LinkOutcome>
  /**
   * Changes the email address to the link's, verified, frees the old one, and ends every session and grant but the link's family.
   */
  changeEmail(use: LinkUse, formerEmails: readonly FormerEmail[]): Promise<LinkOutcome | EmailTaken>
  /**
   * The same without a family that is kept, back to an address that the account had, whatever was changed since the link was issued, a deletion that
   * was asked for included: that stays.
   * `conflict`: the password or email address has changed since `securityRev`; nothing was written.
   */
  undoEmailChange(
    use: LinkUse,
    account: Pick<Account, 'securityRev' | 'formerEmails'>,
  ): Promise<LinkOutcome | EmailTaken | 'conflict'>
}

/** What is wrong with a new password: its length, that it is known from a breach elsewhere, or why it is easy to guess. */
export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_breached' | PasswordAdvice

/** What is wrong with each field of a new account. */
export interface AccountFormProblems {
  readonly email?: 'email_invalid'
  readonly username?: 'username_invalid' | 'username_taken'
  readonly password?: PasswordProblem
}

/** A password held against a hash. */
interface PasswordCheck {
  /** Whether the hash is of this password. */
  readonly isRight: boolean
  /** Whether it is, and `hash` would now make it with other parameters or of another form of the text. */
  readonly isOutdated: boolean
}

/**
 * Hashes passwords slowly, so that a stolen table is expensive to crack. The spellings of a text that Unicode calls the same are one
 * password. Both methods throw CommonError `service_unavailable`, before any work, while too many calls are running.
 */
export interface Passwords {
  /** Returns a PHC string with a random salt. */
  hash(password: string): Promise<string>
  /** Holds a password against a hash with any parameters. Without a hash: wrong, after the same work. */
  check(password: string, hash: string | undefined): Promise<PasswordCheck>
}

/** Estimates how many guesses a password withstands. */
export interface PasswordStrength {
  /**
   * What makes a password easy to guess; undefined where it takes more guesses than a throttled attacker has.
   * @param words in lower case, which are guessed first
   */
  weaknessOf(password: string, words: readonly string[]): Promise<PasswordAdvice | undefined>
}

/** A list of the passwords that were made public by breaches of other services. */
export interface PwnedPasswords {
  /** Whether the list has the password, of which no more than a part of a digest leaves the service. Throws where it cannot be asked in time. */
  has(password: string): Promise<boolean>
}

/** What tries of a password or a second factor are counted by: see `signInPolicy.ts`. */
export interface GuessSubject {
  kind: 'account' | 'address' | 'account_at_address' | 'known_browser' | 'session' | 'second_factor'
  /** Stored as a digest only. */
  subject: string
}

/** Tries that succeeded, each counted once at `at`, in Unix milliseconds. */
export interface SucceededTries {
  readonly tries: readonly GuessSubject[]
  readonly at: number
  /** Removes what is counted for `of`, and takes it back from `from`, where it was counted too. */
  readonly failures?: { readonly of: GuessSubject; readonly from: GuessSubject }
}

/** The cookie by which a browser is known for the accounts that signed in there. */
export interface KnownBrowserCookie {
  readonly value: string
  readonly maxAgeSeconds: number
}

/** Counts that fade with time, as `decayingCount.ts` has it. */
export interface GuessCounts {
  /**
   * Counts one more at `now`, in Unix milliseconds, if no more than `limit` are counted then; atomically, so that no number of concurrent
   * callers exceeds it. Otherwise writes nothing and returns how many are counted. A lost answer may count twice, never not at all.
   */
  count(subject: GuessSubject, options: { limit: number; now: number }): Promise<'counted' | { level: number }>
  /** Uncounts tries as if they had never been made, once however often the call is repeated. Together or not at all. */
  takeBack(succeeded: SucceededTries): Promise<void>
}

/** What mails are counted by: a recipient, for each purpose, who sends them, or a source IP. */
export interface MailSubject {
  kind:
    | 'registration'
    | 'verification'
    | 'reset'
    | 'email_change'
    | 'email_change_by_user'
    | 'invitation'
    | 'invitation_by_organization'
    | 'invitation_by_user'
    | 'authenticator_change'
    | 'source_ip'
  /** Stored as a digest only. */
  subject: string
}

export interface MailBudgets {
  /**
   * Spends one mail at `now`, which the budget takes `everyMs` to regain, unless it is full again only after `latestFull`: then writes
   * nothing, and returns when it is full. Times are Unix milliseconds. Atomic, so that no number of concurrent callers exceeds the budget. A
   * lost answer may spend two, never none.
   */
  spend(
    subject: MailSubject,
    options: { everyMs: number; latestFull: number; now: number },
  ): Promise<'spent' | { fullAt: number }>
}
