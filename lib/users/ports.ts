import * as z from 'zod/mini'
import type { Deletion } from '../core/deletion.ts'
import type { AnyCaller, Caller } from '../core/identity.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
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

/** `conflict`: the user has changed or no longer exists; read again. */
export type RenameOutcome = 'renamed' | 'username_taken' | 'conflict'

/** An email belongs to one account. A registration does not hold it: it has proved nothing, and gives way. */
export type EmailTaken = 'email_taken'

/** `username_taken` comes first if both the name and the email are taken. */
type CreateUserOutcome = 'created' | 'already_exists' | 'username_taken' | EmailTaken

export interface Users {
  find(userId: UserId): Promise<User | undefined>
  /** The calling user. Throws CommonError `invalid_token` if the caller's grant has ended. */
  findCaller(caller: Caller): Promise<User>
  /**
   * Changes the username and frees the old name in one transaction: two users never have the same name. With `unchanged`, only if every
   * member of the user is still as given.
   */
  rename(
    userId: UserId,
    names: { from: string; to: string; now: number; unchanged?: User | undefined },
  ): Promise<RenameOutcome>
  /**
   * Stores a new user if the username and the email address are free. Keeps an existing user of the same id: safe to repeat. A registration
   * that is not verified holds no address: it gives way to the new user, and its links do nothing any more. A new user who is not verified
   * is a registration: it ends, and frees the name, at `registrationEnd`.
   * @param passwordHash made by `Passwords`; without it the user cannot sign in
   */
  create(user: User, passwordHash?: string): Promise<CreateUserOutcome>
  /**
   * Reserves a username as `create` does for a registration, when the address already has an account: until `registrationEnd`, except for
   * another registration with this address. `conflict`: the account is gone.
   */
  reserveName(user: User, account: User): Promise<'reserved' | 'username_taken' | 'conflict'>
}

/** For an operation that reads nothing else of the caller. */
export interface Callers {
  /** A single read. Throws CommonError `invalid_token` if the caller's grant has ended, `service_unavailable` if that is unknown. */
  requireLive(caller: AnyCaller): Promise<void>
}

/** A user with the account's security state. Only `user` may be returned to callers. */
export interface Account {
  user: User
  /** PHC string of argon2id; undefined for an account without a password. */
  passwordHash: string | undefined
  /**
   * Each change of the password or the email address increments it. That ends every session, code and token issued under an earlier
   * revision and voids earlier links.
   */
  securityRev: number
  /** How often the password or the email address has changed; undefined if never. Signing out everywhere does not count. */
  credentialsRev?: number | undefined
  /** When the password before the current one was set, at the latest; undefined if there was none. Unix milliseconds. */
  previousPasswordSetAt?: number | undefined
  /** The family that survived the last increment. */
  keptFamily: string | undefined
  /** The addresses before the changes of the last 7 days, oldest first: each can be restored. */
  formerEmails: readonly FormerEmail[]
  /** Set while the account is being deleted; it is not active then. */
  deletion?: AccountDeletion | undefined
  /** How often others have made the user an owner. If it differs, that happened after the account was read. */
  promotions?: number | undefined
  /** Whether the user has a passkey or TOTP. Written in the transactions that add and remove them. */
  hasSecondFactor?: boolean | undefined
  /** False if the user wants no mail about a sign-in in a new browser. */
  signInMails?: boolean | undefined
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
  /** Deleted with the account: the user is their only member. */
  organizations: OrganizationId[]
  /** That the erasure has left so far. */
  left?: OrganizationId[]
}

/** A user who has signed in, with the account's revision at that time. */
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

/** An authenticator that was added, as the page of its link names it. */
export interface AddedAuthenticator {
  type: 'passkey' | 'totp' | 'recovery_codes'
  /** The user's own for a passkey. */
  name: string | null
  /** Unix milliseconds. */
  at: number
}

/** A stored link, found by the digest of its token. */
export interface AccountLink {
  purpose: AccountLinkPurpose
  userId: UserId
  /** The address that gets the link; using the link verifies it. */
  email: string
  /** The account's `securityRev` when the link was issued. */
  securityRev: number
  /** The family of the client that asked for a change of the email address. The change keeps it. */
  familyId?: string | undefined
  /** The change that the link undoes. */
  change?: LinkDigest | undefined
  /** The request to remove lost factors that the link confirms. */
  reset?: string | undefined
  /** The addition that the link undoes, with all later ones. */
  added?: AddedAuthenticator | undefined
  /** Unix milliseconds; undefined for a link of an earlier version. */
  issuedAt?: number | undefined
  /** Unix milliseconds. */
  validUntil: number
  /** The query of the authorization request that the user came from, to return to; undefined if there is none. */
  request?: string | undefined
  /** Digest of the secret in the cookie of the browser in which the user chose the account's password; only for registrations. */
  browser?: LinkDigest | undefined
  /** Unix milliseconds; undefined while unused. */
  usedAt?: number | undefined
}

export interface AccountLinks {
  /** A used link is found until it expires, so a second click still leads the user on. */
  find(digest: LinkDigest): Promise<AccountLink | undefined>
  /** Stores a new link, for one use until `validUntil`. */
  issue(digest: LinkDigest, link: Omit<AccountLink, 'usedAt'>): Promise<void>
}

/** A link that the user is offered after another link. */
export interface NextLink {
  readonly purpose: 'reset_password' | 'restore_account' | 'undo_email_change'
  readonly url: string
}

/** The use of a link at `now`, in Unix milliseconds, by the user as read before. */
export interface LinkUse {
  digest: LinkDigest
  link: AccountLink
  user: User
  now: number
}

/** `link_invalid`: used or expired by now, or the account's password or email address has changed since it was issued. */
export type LinkOutcome = 'done' | 'link_invalid'

/** A new password's hash. It ends every grant except the family `keptFamily`. */
export interface NewPassword {
  passwordHash: string
  keptFamily: string | undefined
  /** When it is set, in Unix milliseconds; what was known before is kept if it is left out. */
  setAt?: number | undefined
}

/** What a user has beside the password, as far as a removal depends on it. Times are Unix milliseconds. */
interface OwnAuthenticators {
  readonly passkeys: readonly { readonly id: string }[]
  readonly totp: { readonly createdAt: number } | undefined
  readonly recoveryCodes: { readonly createdAt: number } | undefined
}

/** Removes some of a user's authenticators, while the user has exactly those that were read. */
export interface AuthenticatorRemoval {
  readonly read: OwnAuthenticators
  readonly removed: OwnAuthenticators
}

/**
 * Each method with a `LinkUse` uses the link in the same transaction: of concurrent callers exactly one gets `done`. A method that verifies
 * the address of a registration turns it into an account, unless it gave way to another registration.
 */
export interface Accounts {
  find(userId: UserId): Promise<Account | undefined>
  /** The account of the calling user. Throws CommonError `invalid_token` if the caller's grant has ended. */
  findCaller(caller: Caller): Promise<Account>
  /** The account or registration with this address, even if it has expired. Takes equally long if there is none. */
  findByEmail(emailKey: EmailKey): Promise<Account | undefined>
  /** Updates the hash of the same password to current parameters, if it has not changed. Ends no session. */
  rehash(userId: UserId, hashes: { from: string; to: string }): Promise<void>
  /** `conflict`: the password or email address has changed since `securityRev`; nothing was written. */
  changePassword(account: Account, to: NewPassword): Promise<'changed' | 'conflict'>
  /** Ends every grant of the account, and voids the links in earlier mails. `conflict`: the account has changed; nothing was written. */
  endGrants(account: Account): Promise<'ended' | 'conflict'>
  verifyEmail(use: LinkUse): Promise<LinkOutcome>
  /**
   * Also marks the email address as verified, because the link was sent there. `conflict`: an authenticator was added or removed since
   * `removal` was read; nothing was written.
   */
  resetPassword(use: LinkUse, to: NewPassword, removal?: AuthenticatorRemoval): Promise<LinkOutcome | 'conflict'>
  /**
   * Sets a new password and removes authenticators, whatever has changed since the link was issued. `conflict`: the account or an
   * authenticator has changed since it was read; nothing was written.
   */
  undoFactor(
    use: LinkUse,
    to: NewPassword,
    { securityRev, removal }: { securityRev: number; removal: AuthenticatorRemoval },
  ): Promise<LinkOutcome | 'conflict'>
  /**
   * Changes the email address to the link's, verified, frees the old address, and ends every session and grant except the link's family.
   */
  changeEmail(use: LinkUse, formerEmails: readonly FormerEmail[]): Promise<LinkOutcome | EmailTaken>
  /**
   * Like `changeEmail`, but back to an earlier address and without a kept family. Works whatever has changed since the link was issued,
   * even if the account is being deleted; the deletion remains scheduled. `conflict`: the password or email address has changed since
   * `securityRev`; nothing was written.
   */
  undoEmailChange(
    use: LinkUse,
    account: Pick<Account, 'securityRev' | 'formerEmails'>,
  ): Promise<LinkOutcome | EmailTaken | 'conflict'>
}

/** What is wrong with a new password: its length, a breach elsewhere, or why it is easy to guess. */
export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_breached' | PasswordAdvice

/** What is wrong with each field of a new account. */
export interface AccountFormProblems {
  readonly email?: 'email_invalid'
  readonly username?: 'username_invalid' | 'username_taken'
  readonly password?: PasswordProblem
}

/** The result of checking a password against a hash. */
interface PasswordCheck {
  /** Whether the hash is of this password. */
  readonly isRight: boolean
  /** Whether it is right, but `hash` would now use other parameters or another form of the text. */
  readonly isOutdated: boolean
}

/**
 * Hashes passwords slowly, so a stolen table is expensive to crack. Texts that Unicode considers equivalent are the same password. While
 * too many calls are running, both methods throw CommonError `service_unavailable` before any work.
 */
export interface Passwords {
  /** Returns a PHC string with a random salt. */
  hash(password: string): Promise<string>
  /** Checks a password against a hash with any parameters. Without a hash it is wrong, after the same work. */
  check(password: string, hash: string | undefined): Promise<PasswordCheck>
}

/** Estimates how many guesses a password withstands. */
export interface PasswordStrength {
  /**
   * What makes a password easy to guess; undefined if it takes more guesses than a throttled attacker has.
   * @param words in lower case; they are guessed first
   */
  weaknessOf(password: string, words: readonly string[]): Promise<PasswordAdvice | undefined>
}

/** Passwords that became public in breaches of other services. */
export interface PwnedPasswords {
  /**
   * Whether the list contains the password. Only a part of a digest of it leaves the service. Throws if the list does not answer in time.
   */
  has(password: string): Promise<boolean>
}

/** The subject by which tries of a password, a second factor or a device's code are counted: see `signInPolicy.ts`. */
export interface GuessSubject {
  kind:
    | 'account'
    | 'address'
    | 'account_at_address'
    | 'known_browser'
    | 'session'
    | 'second_factor'
    | 'link'
    | 'device_code'
    | 'device_code_account'
  /** Stored as a digest only. */
  subject: string
}

/** Tries that succeeded, each counted once at `at`, in Unix milliseconds. */
export interface SucceededTries {
  readonly tries: readonly GuessSubject[]
  readonly at: number
  /** Removes the count of `of`, and takes it back from `from`, which had counted it too. */
  readonly failures?: { readonly of: GuessSubject; readonly from: GuessSubject }
}

/** The cookie by which a browser is known to the accounts that have signed in there. */
export interface KnownBrowserCookie {
  readonly value: string
  readonly maxAgeSeconds: number
}

/** A user who has set or entered the password behind a mailed link, and so has proven the address too. */
export interface ProvenUser {
  /** As the link left the account: a session of this revision ends with the next reset. */
  readonly user: Pick<SignedIn, 'id' | 'email' | 'securityRev'>
  /** The cookie of a known browser: the user can sign in at once, even if strangers have used up the account's tries. */
  readonly knownBrowser: KnownBrowserCookie
}

/** Counts that decay with time, as `decayingCount.ts` defines. */
export interface GuessCounts {
  /**
   * Counts another try at `now`, in Unix milliseconds, if at most `limit` are counted then. Atomic: concurrent callers never exceed the
   * limit. Otherwise writes nothing and returns the level. If the answer is lost, the try may count twice, but at least once.
   */
  count(subject: GuessSubject, options: { limit: number; now: number }): Promise<'counted' | { level: number }>
  /** Takes tries back as if they had never been made; once, even if the call is repeated. All of them or none. */
  takeBack(succeeded: SucceededTries): Promise<void>
}

/** How a user wants mails. Throws CommonError `service_unavailable`. */
export interface MailSettings {
  /** Notes the language of a sign-in. Does nothing if it is the same. */
  noteLanguage(userId: UserId, language: Language): Promise<void>
  /** `conflict`: the caller's account has changed since it was read; nothing was written. */
  setSignInMails(caller: Caller, signInMails: boolean): Promise<'written' | 'conflict'>
}

/** The subject by which mails are counted: a recipient for each purpose, the sender, or a source IP. */
export interface MailSubject {
  kind:
    | 'registration'
    | 'verification'
    | 'reset'
    | 'email_change'
    | 'email_change_by_user'
    | 'invitation'
    | 'invitation_by_organization'
    | 'invitation_by_organization_to_address'
    | 'invitation_by_user'
    | 'authenticator_change'
    | 'others_by_user'
    | 'money_by_organization'
    | 'new_sign_in'
    | 'second_step_failed'
    | 'factor_reset'
    | 'source_ip'
  /** Stored as a digest only. */
  subject: string
}

export interface MailBudgets {
  /**
   * Spends a mail at `now`, which the budget regains after `everyMs`. If the budget would be full again only after `latestFull`, writes
   * nothing and returns when it is full. Times are Unix milliseconds. Atomic: concurrent callers never exceed the budget. If the answer is
   * lost, two may be spent, but at least one.
   */
  spend(
    subject: MailSubject,
    options: { everyMs: number; latestFull: number; now: number },
  ): Promise<'spent' | { fullAt: number }>
}
