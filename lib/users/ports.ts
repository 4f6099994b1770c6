import * as z from 'zod'
import type { UserId } from '../core/ids.ts'
import type { LinkPurpose } from '../mail/accountLinkUrl.ts'
import type { EmailKey } from './emailKey.ts'

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

/** `conflict`: the user is not called `from` any more (or is gone); read again. */
export type RenameOutcome = 'renamed' | 'username_taken' | 'conflict'

/** `username_taken` comes before `email_taken` where both are. */
export type CreateUserOutcome = 'created' | 'already_exists' | 'username_taken' | 'email_taken'

export interface Users {
  find(userId: UserId): Promise<User | undefined>
  /** Gives the user another name, and the old one back to the world, in one transaction: never two users with one name. */
  rename(userId: UserId, names: { from: string; to: string }): Promise<RenameOutcome>
  /**
   * Stores a new user under a free name and a free e-mail address. A user of the same id is left as it is: safe to repeat.
   * @param passwordHash what `Passwords` made; without it nobody can sign in as this user
   */
  create(user: User, passwordHash?: string): Promise<CreateUserOutcome>
}

/** A user and what keeps the account safe; none of it but the user is ever shown. */
export interface Account {
  user: User
  /** PHC string of argon2id; undefined where the account has no password. */
  passwordHash: string | undefined
  /** One more with each change of the password or the e-mail address: links issued before are void. */
  securityRev: number
  /** Unix milliseconds; sessions and families of refresh tokens begun before are dead. 0 where that never happened. */
  signedOutAt: number
  /** The one family that outlives `signedOutAt`. */
  keptFamily: string | undefined
}

/** SHA-256 of a link's token as base64url. The brand keeps a token from being stored by mistake. */
export const linkDigestSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .brand<'LinkDigest'>()
export type LinkDigest = z.infer<typeof linkDigestSchema>

/** What a link in a mail does to an account. */
export type AccountLinkPurpose = Exclude<LinkPurpose, 'invitation'>

/** What a link in a mail stands for. */
export interface AccountLink {
  purpose: AccountLinkPurpose
  userId: UserId
  /** The address that the link is sent to, and proves. */
  email: string
  /** The account's when the link was made. */
  securityRev: number
  /** Unix milliseconds. */
  validUntil: number
}

export interface AccountLinks {
  find(digest: LinkDigest): Promise<AccountLink | undefined>
  /** Stores a new link, usable once until `validUntil`. */
  issue(digest: LinkDigest, link: AccountLink): Promise<void>
}

/** A link to be used up at `now`, in Unix milliseconds. */
export interface LinkUse {
  digest: LinkDigest
  link: AccountLink
  now: number
}

/** `link_invalid`: used or expired meanwhile, or the account's password or address is not the one it was made for. */
export type LinkOutcome = 'done' | 'link_invalid'

/** A new password's hash, and whom it signs out: everybody before `signedOutAt`, in Unix milliseconds, but `keptFamily`. */
export interface NewPassword {
  passwordHash: string
  signedOutAt: number
  keptFamily: string | undefined
}

/** Each method that takes a `LinkUse` uses the link up in the same transaction: of any number of callers exactly one gets `done`. */
export interface Accounts {
  find(userId: UserId): Promise<Account | undefined>
  /** The account with this address; that there is none is found out no sooner than that there is one. */
  findByEmail(emailKey: EmailKey): Promise<Account | undefined>
  /** Replaces the hash of the same password by one of today's parameters; not where it changed meanwhile. Nobody is signed out. */
  rehash(userId: UserId, hashes: { from: string; to: string }): Promise<void>
  /** `conflict`: the password or the address is not the one of `securityRev`, and nothing was written. */
  changePassword(account: Account, to: NewPassword): Promise<'changed' | 'conflict'>
  verifyEmail(use: LinkUse): Promise<LinkOutcome>
  /** A mail that arrived proves the address as well. */
  resetPassword(use: LinkUse, to: NewPassword): Promise<LinkOutcome>
  /** Gives the account the link's address, verified, and the old one back to the world. `email_taken`: another account has it. */
  changeEmail(use: LinkUse, from: { email: string }): Promise<LinkOutcome | 'email_taken'>
}

/** Hashes passwords so that whoever steals the table has to guess each one slowly. */
export interface Passwords {
  /** A PHC string with a salt of its own. */
  hash(password: string): Promise<string>
  /** Whether `hash` was made of this password, with whichever parameters. Without a hash: false, after the same work. */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Whether `hash` was made with other parameters than new ones are. */
  isOutdated(hash: string): boolean
}

/** The passwords that everybody tries first. */
export interface CommonPasswords {
  /** Whether the password is one of them, in any case. */
  has(password: string): Promise<boolean>
}

/** Whose attempts are counted: an e-mail address, known or not, or a source IP. */
export interface AttemptSubject {
  kind: 'sign_in' | 'sign_in_source_ip' | 'mail' | 'mail_source_ip'
  /** Stored as a digest only. */
  subject: string
}

/** What is known of a subject's attempts. */
export interface AttemptRecord {
  attempts: number
  /** Unix milliseconds; 0 where the next attempt need not wait. */
  blockedUntil: number
  /** Unix seconds; from then on it is as if there were none. */
  expiresAt: number
}

export interface Attempts {
  /** Counts one more, atomically, while fewer than `free` are counted; otherwise nothing is written and what stands there is told. */
  count(subject: AttemptSubject, limit: { free: number; expiresAt: number }): Promise<'counted' | AttemptRecord>
  /** Puts `to` in the place of `from`; false where another attempt was quicker. */
  replace(subject: AttemptSubject, from: AttemptRecord, to: AttemptRecord): Promise<boolean>
  /** Takes one attempt back, which was none of a stranger. */
  takeBack(subject: AttemptSubject): Promise<void>
  forget(subject: AttemptSubject): Promise<void>
}
