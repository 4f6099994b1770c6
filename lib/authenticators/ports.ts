import type { Caller } from '../core/identity.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import type { AuditEntry } from '../organizations/ports.ts'
import type { Account, LinkUse } from '../users/ports.ts'

/** The kinds of second factor. Recovery codes replace the others, and count only beside a passkey or TOTP. */
export type SecondFactor = 'passkey' | 'totp' | 'recovery_code'

/** How an authenticator was added. */
export interface Addition {
  /** Unix milliseconds. */
  createdAt: number
  /** Until then it is new (`newUntilOf`), in Unix milliseconds; undefined if it never was. */
  newUntil?: number | undefined
  /** From where, as far as it is known. Authenticators of earlier versions lack it. */
  addedFrom?: { browser?: string | undefined; sourceIp?: string | undefined } | undefined
}

/** A WebAuthn credential of a user. */
export interface Passkey extends Addition {
  /** The credential id, base64url. */
  id: string
  /** The user's own, 1 to 64 characters. */
  name: string
  /** COSE key, base64url. */
  publicKey: string
  /** The authenticator's signature counter at the last use; 0 if it does not count. */
  counter: number
  /** Whether the credential may be copied to other devices. Never changes (WebAuthn §6.1.3). */
  backupEligible: boolean
  /** Whether it was backed up at the last use. */
  backedUp: boolean
  /** How browsers reach the authenticator (`internal`, `hybrid`, `usb`, ...). */
  transports: readonly string[]
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/** A user's generator of time-based codes (RFC 6238); a user has at most one. */
export interface TotpAuthenticator extends Addition {
  /** The secret, encrypted for its user by a `TotpCipher`. */
  cipher: string
  /** The time step of the last accepted code. Codes of this step or an earlier step are refused. */
  lastStep: number
  /** The account's revision under which codes have failed since the last success; undefined if none has. */
  failedAtRev?: number | undefined
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/**
 * The browser in which a user types a code. `known`: it has signed in to the account before. `pending`: only the password was right in it.
 * Other browsers cannot use up its tries.
 */
export interface CodeBrowser {
  readonly kind: 'known' | 'pending'
  readonly id: string
}

/** How many recovery codes a user has left, of the last ten. */
export interface RecoveryCodes extends Addition {
  left: number
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/** Every authenticator of a user, beside the password. */
export interface UserAuthenticators {
  /** The oldest first. */
  passkeys: readonly Passkey[]
  totp: TotpAuthenticator | undefined
  recoveryCodes: RecoveryCodes | undefined
}

export interface Authenticators {
  /** A user's authenticators, from a single consistent read. Throws CommonError `service_unavailable`. */
  list(userId: UserId): Promise<UserAuthenticators>
}

/** An account at an OpenID provider that its user has connected with the account here. */
export interface ProviderConnection {
  /** A digest. */
  readonly id: string
  readonly providerId: string
  readonly issuer: string
  readonly subject: string
  /** At the provider, when it was connected. */
  readonly email?: string | undefined
  /** Unix milliseconds. */
  readonly connectedAt: number
  /** The account's then, 0 if it had none. If the account's is another now, the provider no longer signs in. */
  readonly credentialsRev: number
}

/** Throws CommonError `service_unavailable`. */
export interface ProviderConnections {
  /** Every connection of a user, the oldest first, those that no longer sign in included. */
  list(userId: UserId): Promise<readonly ProviderConnection[]>
  /**
   * Removes a connection; it no longer signs in. Writes like `Passkeys`.
   * @param other of the same user: `refused` if it is not stored any more. Undefined if the user needs no other.
   */
  remove(by: Caller, id: string, other: string | undefined): Promise<'removed' | 'not_found' | 'refused'>
}

/** The purpose of a challenge: a new passkey, the only factor of a sign-in, or the second factor after a password. */
export type ChallengePurpose = 'registration' | 'only_factor' | 'second_factor'

/** A challenge given to a browser; stored by its digest. */
export interface Challenge {
  purpose: ChallengePurpose
  /** Undefined if the user of the sign-in is not known yet. */
  userId?: UserId | undefined
  /** Unix milliseconds. */
  validUntil: number
}

export interface Challenges {
  /** Stores a challenge for one use. */
  issue(challenge: string, record: Challenge): Promise<void>
  /** Undefined if it was never issued, was used, or expired long ago. */
  find(challenge: string): Promise<Challenge | undefined>
}

/** The use of a challenge at `now`, in Unix milliseconds. */
export interface ChallengeUse {
  challenge: string
  now: number
}

/** What an assertion changes of a passkey. */
interface PasskeyUse extends ChallengeUse {
  counter: number
  backedUp: boolean
}

/**
 * Passkeys, by user and by credential id. Every write is a transaction. Writes with a `Caller` require that the caller's grant is live and
 * throw CommonError `invalid_token` otherwise. If the SDK repeats a write after a lost answer, nothing changes. Each write that adds or
 * removes an authenticator also notes on the account whether it has a second factor: a passkey or TOTP.
 */
export interface Passkeys {
  /** The passkey with this credential id, and its user. */
  find(credentialId: string): Promise<{ userId: UserId; passkey: Passkey } | undefined>
  /**
   * Uses the challenge and stores the passkey: of concurrent callers with the same challenge exactly one gets `added`.
   * `already_registered`: an account already has the credential. `too_many`: the user has `limit` passkeys. Neither uses the challenge.
   */
  add(
    by: Caller,
    passkey: Passkey,
    use: ChallengeUse & { limit: number },
  ): Promise<'added' | 'challenge_used' | 'already_registered' | 'too_many'>
  rename(by: Caller, passkeyId: string, name: string): Promise<'renamed' | 'not_found'>
  remove(by: Caller, passkeyId: string): Promise<'removed' | 'not_found'>
  /**
   * Uses the challenge and stores the passkey's new state in a single transaction: of concurrent callers with the same challenge exactly
   * one gets `used`. `refused`: the challenge is used or expired, the passkey was removed, or its counter has passed the given value
   * meanwhile.
   */
  use(userId: UserId, passkeyId: string, use: PasskeyUse): Promise<'used' | 'refused'>
}

/** A secret of which the user has not shown a code yet. */
export interface PendingTotp {
  /** A UUID. */
  id: string
  cipher: string
  /** Unix milliseconds. */
  validUntil: number
}

/** TOTP authenticators, confirmed and pending. Writes like `Passkeys`. */
export interface TotpAuthenticators {
  find(userId: UserId): Promise<TotpAuthenticator | undefined>
  findPending(userId: UserId): Promise<PendingTotp | undefined>
  /** Replaces an earlier pending enrollment. */
  begin(by: Caller, pending: PendingTotp): Promise<void>
  /** Confirms a pending enrollment: of concurrent callers exactly one gets `confirmed`. `exists`: the user already has TOTP. */
  confirm(by: Caller, pending: PendingTotp, totp: TotpAuthenticator): Promise<'confirmed' | 'exists' | 'gone'>
  /**
   * Counts a try as failed before it is made, in known browsers or in others, if fewer than `limit` failed there in a row under this revision
   * of the account. Atomic: concurrent callers never exceed the limit. `full` writes nothing, also if the user no longer has `seen`. If the
   * answer is lost, the try may count twice, but at least once.
   */
  countTry(
    userId: UserId,
    seen: TotpAuthenticator,
    counted: { securityRev: number; from: CodeBrowser['kind']; limit: number },
  ): Promise<'counted' | 'full'>
  /** Forgets every failed try. */
  forgive(userId: UserId): Promise<void>
  /**
   * Accepts a code of `step` once, and forgets the failed tries of such browsers. `refused` if a code of this step or a later step was
   * accepted, or if the user no longer has `seen`.
   */
  takeStep(
    userId: UserId,
    seen: TotpAuthenticator,
    taken: { step: number; now: number; from: CodeBrowser['kind'] },
  ): Promise<'taken' | 'refused'>
  remove(by: Caller): Promise<'removed' | 'not_found'>
}

/** Recovery codes by their digests. Writes like `Passkeys`. */
export interface RecoveryCodeStore {
  /** Replaces all codes of the user. */
  replace(by: Caller, digests: readonly string[], addition: Addition): Promise<void>
  /** Uses a code: of concurrent callers exactly one gets true. False if the code is unknown or used. */
  use(userId: UserId, digest: string, now: number): Promise<boolean>
}

/** A request to remove every second factor of a user who has lost them. Times are Unix milliseconds. */
export interface FactorReset {
  /** A UUID. */
  id: string
  requestedAt: number
  /** The account's `credentialsRev` at the request. A new password or email address makes the request void; signing out does not. */
  credentialsRev: number
  /** The language of the request, and so of the mails that follow. */
  language: Language
  /** When it takes effect; undefined until the user has confirmed it by the mailed link. */
  effectiveAt?: number | undefined
  approval?: { at: number; by: UserId; organizationId: OrganizationId } | undefined
  /**
   * Set if an operator has decided on it: no change of the password or address makes it void, and only the use of an authenticator that was
   * made until `trustedUntil` does.
   */
  operated?: { trustedUntil: number } | undefined
}

/** A step of a request, stored by the time when it is due. */
export interface DueResetStep {
  /** `removed`, `totp_removed`: an operator has removed the factors, or the app alone, and the user is to be mailed. */
  readonly step: 'half_time' | 'day_before' | 'effect' | 'removed' | 'totp_removed'
  /** Unix milliseconds. */
  readonly at: number
  readonly userId: UserId
  /** Of the request. If its end is another by now, the step is outdated. */
  readonly effectiveAt: number
  /** Of the mail, for the steps `removed` and `totp_removed`: there is no request. */
  readonly language?: Language | undefined
}

/** When a request takes effect, and the steps until then. */
export interface ResetSchedule {
  readonly effectiveAt: number
  readonly steps: readonly Pick<DueResetStep, 'step' | 'at'>[]
}

/** At most one request per user; `resetStateOf` says whether it is void. Writes like `Passkeys`. */
export interface FactorResets {
  find(userId: UserId): Promise<FactorReset | undefined>
  /** Stores a request in place of `replaces`; false if another request is stored by now, or the password or address has changed. */
  request(userId: UserId, reset: FactorReset, replaces: FactorReset | undefined): Promise<boolean>
  /** Uses the link, and begins the wait. `link_invalid` also if the request is gone, confirmed or void. */
  confirm(use: LinkUse, reset: FactorReset, schedule: ResetSchedule): Promise<'done' | 'link_invalid'>
  /** Removes the request with this id, approved or not; of concurrent callers exactly one gets true. */
  cancel(by: Caller, id: string): Promise<boolean>
  /**
   * Removes the request and every authenticator in `seen` together, once, and ends every grant of the account; false if any of it has
   * changed or been used since it was read.
   */
  complete(
    account: Pick<Account, 'user' | 'securityRev' | 'credentialsRev'>,
    reset: FactorReset,
    seen: UserAuthenticators,
  ): Promise<boolean>
}

/** The steps of all requests. Throws CommonError `service_unavailable`. */
export interface DueResetSteps {
  /** Every step that is due at `now`, in Unix milliseconds, the earliest first. */
  list(now: number): Promise<DueResetStep[]>
  /** Forgets a step. */
  dismiss(due: DueResetStep): Promise<void>
}

/** Approvals of requests. Writes like `Passkeys`. */
export interface FactorResetApprovals {
  /**
   * Stores the approval of a confirmed request that has none, with its entry in the organization's audit log, while `by` is an owner of
   * that organization. False if the request has an approval, is gone or void, or the caller is no longer an owner.
   */
  approve(
    by: Caller,
    userId: UserId,
    reset: FactorReset,
    approved: ResetSchedule & { approval: NonNullable<FactorReset['approval']>; entry: AuditEntry },
  ): Promise<boolean>
}

/**
 * Removals that an operator has decided on, each with its entries in the audit logs of the user's organizations. `conflict`: the account, its
 * request or its authenticators have changed since they were read. Throws CommonError `service_unavailable`: then it may be done.
 */
export interface OperatedFactors {
  /** Stores a removal in place of `replaces`, and its steps, while the account is active. */
  schedule(
    userId: UserId,
    reset: FactorReset,
    planned: ResetSchedule & { replaces: FactorReset | undefined; entries: readonly AuditEntry[] },
  ): Promise<'changed' | 'conflict'>
  /** Removes every authenticator in `seen`, and a request if there is one, ends every grant, and stores that the user is to be mailed. */
  remove(
    account: Pick<Account, 'user' | 'securityRev'>,
    seen: UserAuthenticators,
    removed: { at: number; language: Language; entries: readonly AuditEntry[] },
  ): Promise<'changed' | 'conflict'>
  /** Removes the authenticator app in `seen` alone, and stores that the user is to be mailed. Grants go on. */
  removeTotp(
    account: Pick<Account, 'user' | 'securityRev'>,
    seen: UserAuthenticators,
    removed: { at: number; language: Language; entries: readonly AuditEntry[] },
  ): Promise<'changed' | 'conflict'>
  /** Every user who has an authenticator app. */
  listTotpUsers(): Promise<UserId[]>
}

/**
 * Encrypts TOTP secrets for their users: a ciphertext copied to another user does not decrypt. Throws CommonError `service_unavailable`.
 */
export interface TotpCipher {
  encrypt(userId: UserId, secret: string): Promise<string>
  decrypt(userId: UserId, cipher: string): Promise<string>
}

/** Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, 6 digits, 30 seconds. */
export interface Totp {
  /** A secret of 160 bits in base32, from at least as many random bits as base64url. */
  secretOf(random: string): string
  /** The `otpauth:` URI of a secret, for a QR code. The app shows `account` beside the issuer. */
  uriOf(secret: string, account: string): string
  /**
   * The time step of this code: that of `now` (Unix milliseconds), the step before or the step after; undefined if the code matches none of
   * them.
   */
  stepOf(secret: string, code: string, now: number): number | undefined
}

/** Options for `navigator.credentials` in the JSON of WebAuthn level 3 (`parseCreationOptionsFromJSON`), as `@simplewebauthn/browser` takes them. */
export type WebAuthnOptions = Readonly<Record<string, unknown>>

/** A credential's state as reported by its authenticator. */
interface CredentialState {
  counter: number
  backupEligible: boolean
  backedUp: boolean
  /** Whether the authenticator verified its user, by PIN or biometrics. */
  userVerified: boolean
}

/** A newly created credential. */
interface NewCredential extends CredentialState, Pick<Passkey, 'id' | 'publicKey' | 'transports'> {}

/** The part of a browser's response that is read before verification: none of it is proven. */
export interface ClaimedResponse {
  /** Base64url. */
  challenge: string
  credentialId: string
  /** The user that the credential claims to belong to; undefined if the authenticator did not say. */
  userId: UserId | undefined
}

/**
 * The ceremonies of WebAuthn level 3 for a relying party. Challenges are 32 random bytes as base64url, as `Ids.secret` makes them.
 * Verification never throws, whatever a browser sent.
 */
export interface WebAuthn {
  registrationOptions(request: {
    challenge: string
    user: { id: UserId; email: string; username: string }
    /** The user's passkeys, to exclude them. */
    existing: readonly Passkey[]
  }): Promise<WebAuthnOptions>
  /** @param allowed the user's passkeys; empty for any passkey that the browser finds */
  signInOptions(request: {
    challenge: string
    allowed: readonly Passkey[]
    requireUserVerification: boolean
  }): Promise<WebAuthnOptions>
  /** Undefined if it is not the response of a browser. */
  read(response: unknown): ClaimedResponse | undefined
  /** Undefined unless it is a new credential for this challenge, origin and relying party, with its user present and verified. */
  verifyRegistration(response: unknown, expected: { challenge: string }): Promise<NewCredential | undefined>
  /**
   * Undefined unless the passkey signed this challenge for this origin and relying party, with its user present, and verified if that is
   * required, and its counter has grown, if it counts (WebAuthn §7.2).
   */
  verifySignIn(
    response: unknown,
    expected: { challenge: string; passkey: Passkey; requireUserVerification: boolean },
  ): Promise<CredentialState | undefined>
}

/** The modules of a QR code (ISO/IEC 18004), row by row; true is dark. Without the surrounding quiet zone. */
export type QrCode = (text: string) => readonly (readonly boolean[])[]
