import type { Caller } from '../core/identity.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { AuditEntry } from '../organizations/ports.ts'

/** What a second factor can be. Recovery codes take the place of the others, and count only beside one of them. */
export type SecondFactor = 'passkey' | 'totp' | 'recovery_code'

/** A WebAuthn credential of a user. */
export interface Passkey {
  /** The credential id, base64url. */
  id: string
  /** The user's own, 1 to 64 characters. */
  name: string
  /** COSE key, base64url. */
  publicKey: string
  /** The authenticator's signature counter when it was last used; 0 for one that does not count. */
  counter: number
  /** Whether the credential may be copied to other devices. Never changes (WebAuthn §6.1.3). */
  backupEligible: boolean
  /** Whether it was, when it was last used. */
  backedUp: boolean
  /** How browsers reach the authenticator (`internal`, `hybrid`, `usb`, ...). */
  transports: readonly string[]
  /** Unix milliseconds. */
  createdAt: number
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/** A user's one generator of time-based codes (RFC 6238). */
export interface TotpAuthenticator {
  /** The secret, encrypted for its user by a `TotpCipher`. */
  cipher: string
  /** The time step of the last code that was taken: no code of this step or an earlier one is. */
  lastStep: number
  /** Unix milliseconds. */
  createdAt: number
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/** How many recovery codes a user has left, of the last ten. */
export interface RecoveryCodes {
  left: number
  /** Unix milliseconds. */
  createdAt: number
  /** Unix milliseconds; `createdAt` until the first use. */
  lastUsedAt: number
}

/** Everything that a user can prove an identity with, beside the password. */
export interface UserAuthenticators {
  /** The oldest first. */
  passkeys: readonly Passkey[]
  totp: TotpAuthenticator | undefined
  recoveryCodes: RecoveryCodes | undefined
}

export interface Authenticators {
  /** Of a user, from one consistent read. Throws CommonError `service_unavailable`. */
  list(userId: UserId): Promise<UserAuthenticators>
}

/** What a challenge is signed for: a new passkey, the only factor of a sign-in, or the second one after a password. */
export type ChallengePurpose = 'registration' | 'only_factor' | 'second_factor'

/** A challenge that was given to a browser; stored by the digest of it. */
export interface Challenge {
  purpose: ChallengePurpose
  /** Undefined for a sign-in whose user is not known yet. */
  userId?: UserId | undefined
  /** Unix milliseconds. */
  validUntil: number
}

export interface Challenges {
  /** Stores a challenge for one use. */
  issue(challenge: string, record: Challenge): Promise<void>
  /** Undefined for one that was never issued, is used, or expired long ago. */
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
 * Passkeys, by user and by credential id. Every write is one transaction; those with a `Caller` hold only while the caller's grant is live, and
 * throw CommonError `invalid_token` otherwise. A repetition by the SDK after a lost answer changes nothing. What adds or removes an
 * authenticator notes beside the account, in the same transaction, whether it has a second factor: a passkey or TOTP.
 */
export interface Passkeys {
  /** The passkey with this credential id, and whose it is. */
  find(credentialId: string): Promise<{ userId: UserId; passkey: Passkey } | undefined>
  /**
   * Uses the challenge and stores the passkey: of concurrent callers with one challenge exactly one gets `added`.
   * `already_registered`: the credential is an account's already. `too_many`: the user has `limit` passkeys. Neither uses the challenge.
   */
  add(
    by: Caller,
    passkey: Passkey,
    use: ChallengeUse & { limit: number },
  ): Promise<'added' | 'challenge_used' | 'already_registered' | 'too_many'>
  rename(by: Caller, passkeyId: string, name: string): Promise<'renamed' | 'not_found'>
  remove(by: Caller, passkeyId: string): Promise<'removed' | 'not_found'>
  /**
   * Uses the challenge and notes the passkey's new state in one: of concurrent callers with one challenge exactly one gets `used`.
   * `refused`: the challenge is used or has expired, the passkey was removed, or its counter has meanwhile passed the given one.
   */
  use(userId: UserId, passkeyId: string, use: PasskeyUse): Promise<'used' | 'refused'>
}

/** A secret whose user has not yet shown a code of it. */
export interface PendingTotp {
  /** A UUID. */
  id: string
  cipher: string
  /** Unix milliseconds. */
  validUntil: number
}

/** Of `TotpAuthenticator`s and those to be. Writes as `Passkeys`. */
export interface TotpAuthenticators {
  find(userId: UserId): Promise<TotpAuthenticator | undefined>
  findPending(userId: UserId): Promise<PendingTotp | undefined>
  /** Replaces an earlier pending one. */
  begin(by: Caller, pending: PendingTotp): Promise<void>
  /** Makes a pending one the user's: of concurrent callers exactly one gets `confirmed`. `exists`: the user has one. */
  confirm(by: Caller, pending: PendingTotp, totp: TotpAuthenticator): Promise<'confirmed' | 'exists' | 'gone'>
  /** Takes a code of `step` once: `refused` where one of this step or a later one was taken, or `seen` is not the user's any more. */
  takeStep(userId: UserId, seen: TotpAuthenticator, taken: { step: number; now: number }): Promise<'taken' | 'refused'>
  remove(by: Caller): Promise<'removed' | 'not_found'>
}

/** Recovery codes by their digests. Writes as `Passkeys`. */
export interface RecoveryCodeStore {
  /** Replaces all codes of the user. */
  replace(by: Caller, digests: readonly string[], now: number): Promise<void>
  /** Uses a code: of concurrent callers exactly one gets true. False for an unknown one and a used one alike. */
  use(userId: UserId, digest: string, now: number): Promise<boolean>
}

/** A request to remove every second factor of a user who has lost them. Times are Unix milliseconds. */
export interface FactorReset {
  /** A UUID. */
  id: string
  requestedAt: number
  /** The account's `securityRev` at the request, which a new password or email address voids. */
  securityRev: number
  /** When it may take effect; undefined while it waits for an owner's approval. */
  effectiveAt?: number | undefined
  approval?: { at: number; by: UserId; organizationId: OrganizationId } | undefined
}

/**
 * One request a user. Writes as `Passkeys`. Removing an authenticator removes the request as well: who could do that had one. A request is
 * void once any authenticator was made or used after it (`resetStateOf`).
 */
export interface FactorResets {
  find(userId: UserId): Promise<FactorReset | undefined>
  /** Stores a request in place of `replaces`; false where another is stored by now, or the account's revision is another. */
  request(userId: UserId, reset: FactorReset, replaces: FactorReset | undefined): Promise<boolean>
  /** Removes the request with this id, approved or not; of concurrent callers exactly one gets true. */
  cancel(by: Caller, id: string): Promise<boolean>
  /** Removes the request and all that is `seen`, together, once; false where any of it has changed or been used since it was read. */
  complete(userId: UserId, reset: FactorReset, seen: UserAuthenticators): Promise<boolean>
}

/** Approvals of requests. Writes as `Passkeys`. */
export interface FactorResetApprovals {
  /**
   * Stores the approval of a request that has none, with its entry in the audit log of the organization, while `by` is an owner of that one;
   * false where the request has one, or is gone or void, or its caller is no owner any more.
   */
  approve(
    by: Caller,
    userId: UserId,
    reset: FactorReset,
    approved: { effectiveAt: number; approval: NonNullable<FactorReset['approval']>; entry: AuditEntry },
  ): Promise<boolean>
}

/** Encrypts the secrets of TOTP for their users: a ciphertext copied to another user does not decrypt. Throws CommonError `service_unavailable`. */
export interface TotpCipher {
  encrypt(userId: UserId, secret: string): Promise<string>
  decrypt(userId: UserId, cipher: string): Promise<string>
}

/** Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, 6 digits, 30 seconds. */
export interface Totp {
  /** A secret of 160 bits in base32, made of at least so many random ones as base64url. */
  secretOf(random: string): string
  /** The `otpauth:` URI of a secret, for a QR code. `account` is what the app shows beside the issuer. */
  uriOf(secret: string, account: string): string
  /** The time step whose code this is: the one of `now` (Unix milliseconds), the one before or the one after; undefined for another code. */
  stepOf(secret: string, code: string, now: number): number | undefined
}

/** Options for `navigator.credentials` in the JSON of WebAuthn level 3 (`parseCreationOptionsFromJSON`), as `@simplewebauthn/browser` takes them. */
export type WebAuthnOptions = Readonly<Record<string, unknown>>

/** A credential's state as its authenticator showed it. */
interface CredentialState {
  counter: number
  backupEligible: boolean
  backedUp: boolean
  /** Whether the authenticator verified its user, by PIN or biometrics. */
  userVerified: boolean
}

/** A credential that was made just now. */
interface NewCredential extends CredentialState, Pick<Passkey, 'id' | 'publicKey' | 'transports'> {}

/** What a browser sent, as far as it is read before it is verified: none of it is proven. */
export interface ClaimedResponse {
  /** Base64url. */
  challenge: string
  credentialId: string
  /** The user whose credential it claims to be; undefined where the authenticator did not say. */
  userId: UserId | undefined
}

/**
 * The ceremonies of WebAuthn level 3 for one relying party. Challenges are 32 random bytes as base64url, as `Ids.secret` makes them. Verification
 * never throws for what a browser sent.
 */
export interface WebAuthn {
  registrationOptions(request: {
    challenge: string
    user: { id: UserId; email: string; username: string }
    /** The user's passkeys, none of which is made again. */
    existing: readonly Passkey[]
  }): Promise<WebAuthnOptions>
  /** @param allowed the user's passkeys; none for any that the browser finds */
  signInOptions(request: {
    challenge: string
    allowed: readonly Passkey[]
    requireUserVerification: boolean
  }): Promise<WebAuthnOptions>
  /** Undefined for what is no response of a browser. */
  read(response: unknown): ClaimedResponse | undefined
  /** Undefined unless it is a new credential for this challenge, origin and relying party, with its user present and verified. */
  verifyRegistration(response: unknown, expected: { challenge: string }): Promise<NewCredential | undefined>
  /**
   * Undefined unless the passkey signed this challenge for this origin and relying party, with its user present, and verified where
   * that is required, and its counter has grown, where it counts (WebAuthn §7.2).
   */
  verifySignIn(
    response: unknown,
    expected: { challenge: string; passkey: Passkey; requireUserVerification: boolean },
  ): Promise<CredentialState | undefined>
}

/** The modules of a QR code (ISO/IEC 18004), row by row, true for a dark one; without the quiet zone around it. */
export type QrCode = (text: string) => readonly (readonly boolean[])[]
