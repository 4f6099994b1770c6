import type { UserId } from '../core/ids.ts'
import type { SecretDigest } from '../oauth/secretDigest.ts'
import type { KnownBrowserCookie, SignedIn } from '../users/ports.ts'

/** A sign-in after the right password, before the second factor. Its secret gives access to nothing else. */
export interface PendingSignIn {
  userId: UserId
  /** The revision of the account whose password was checked. */
  securityRev: number
  /** Unix milliseconds. */
  validUntil: number
  /** The session that the browser had: it ends when the sign-in does. */
  replaces?: SecretDigest | undefined
  /** Counts codes typed in this browser, also when its user enters the password again; undefined for the sign-in's own digest. */
  browser?: SecretDigest | undefined
}

/** Pending sign-ins by the digest of the secret in the cookie. `Sessions` never finds them. */
export interface PendingSignIns {
  /** Also returns an expired sign-in: the caller checks `validUntil`. */
  find(digest: SecretDigest): Promise<PendingSignIn | undefined>
  begin(digest: SecretDigest, pending: PendingSignIn): Promise<void>
  /** Ends it. If callers are concurrent, exactly one gets it, the others get undefined. */
  end(digest: SecretDigest): Promise<PendingSignIn | undefined>
}

/** Names a browser and its system by the header `User-Agent`, such as `Firefox on Linux`; undefined if it knows neither. */
export type NameBrowser = (userAgent: string | undefined) => Promise<string | undefined>

export interface Credentials {
  readonly email: string
  readonly password: string
  /** The caller's network address. */
  readonly sourceIp: string
  /** The cookie of a browser that has signed in before, as it was sent. */
  readonly knownBrowser: string | undefined
}

/** A user who entered the right password. */
interface CheckedUser extends Pick<SignedIn, 'id' | 'securityRev'> {
  readonly kind: 'checked'
  /** From the same read of the account as the password. */
  readonly hasSecondFactor: boolean
  /** From now on the browser is known for the account by this cookie. */
  readonly knownBrowser: KnownBrowserCookie
}

/** Why the user is asked for the password again. */
export type LoginProblem =
  | { readonly code: 'wrong_credentials' }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }

/**
 * The user with these credentials, or why they are refused. Takes as long for an unknown email address as for a wrong password.
 * @throws CommonError `service_unavailable`
 */
export type CheckPassword = (
  credentials: Credentials,
) => Promise<CheckedUser | { readonly kind: 'refused'; readonly problem: LoginProblem }>
