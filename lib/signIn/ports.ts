import type { Arrival, SignOn } from '../core/authentication.ts'
import type { Caller } from '../core/identity.ts'
import type { UserId } from '../core/ids.ts'
import type { RequestFault } from '../core/requestFault.ts'
import type { SecretDigest } from '../oauth/secretDigest.ts'
import type { KnownBrowserCookie, SignedIn } from '../users/ports.ts'

/** A sign-in after the right password, or a sign-in at a provider, before the second factor. Its secret gives access to nothing else. */
export interface PendingSignIn extends SignOn {
  userId: UserId
  /** The revision of the account whose password was checked. */
  securityRev: number
  /** Unix milliseconds. */
  validUntil: number
  /** The session that the browser had: it ends when the sign-in does. */
  replaces?: SecretDigest | undefined
  /** Counts codes typed in this browser, also when its user enters the password again; undefined for the sign-in's own digest. */
  browser?: SecretDigest | undefined
  /** When its user signed in at a provider, in Unix milliseconds; undefined after a password. */
  atProvider?: number | undefined
  /** Undefined unless its user came from the provider of a company. */
  arrival?: Arrival | undefined
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

/** A client of an OpenID provider: what this service is registered as there. */
export interface ProviderRegistration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Why a provider is not reached: its address is refused, it does not answer, or its answers are not those of an OpenID provider. */
export type ProviderFault = RequestFault

/** Why a sign-in at a provider fails: the person or the provider said no, the answer is not to be trusted, or the provider is not reached. */
export type ExchangeFault = 'denied' | 'answer_refused' | 'unreachable'

/** The secrets of a sign-in at a provider, none of which is stored. */
export interface ProviderSecrets {
  readonly state: string
  readonly nonce: string
  /** PKCE's code verifier (RFC 7636). */
  readonly codeVerifier: string
}

/** Who signed in at a provider, as its id_token says; nothing of it is trusted beyond what the provider vouches for. */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
  /** In the provider's own form; undefined if it names none. */
  readonly email: string | undefined
  /** Only if the claim `email_verified` is true. */
  readonly isEmailVerified: boolean
  /** What the person is called there, to suggest a username. */
  readonly name: string | undefined
  /** When the person signed in there, in Unix milliseconds; undefined if the provider does not say. */
  readonly signedInAt: number | undefined
  /** Whether its `amr` has `mfa`. */
  readonly hasTwoFactors: boolean
  /** The session there, which a logout token names. */
  readonly sessionId: string | undefined
}

/** Who is signed out, as a provider's logout token says. */
export interface ProviderLogout {
  /** Names the token: it counts once. */
  readonly tokenId: string
  /** Undefined if the token names a session alone. */
  readonly subject: string | undefined
  /** One session there; undefined for all of the subject. */
  readonly sessionId: string | undefined
}

/** This service as a client of OpenID providers, over the network. Never throws because of what a provider answers. */
export interface OpenIdClient {
  /** Whether the metadata of an issuer is found, and is its own. */
  discover(
    issuer: string,
  ): Promise<{ readonly kind: 'found' } | { readonly kind: 'refused'; readonly fault: ProviderFault }>
  /** The address to send a browser to. `isFresh`: its user signs in again there. `loginHint`: the address to fill in there. */
  authorizationUrl(
    provider: Pick<ProviderRegistration, 'issuer' | 'clientId'>,
    request: ProviderSecrets & {
      readonly redirectUri: string
      readonly isFresh: boolean
      readonly loginHint?: string | undefined
    },
  ): Promise<
    | { readonly kind: 'leads_to'; readonly url: string }
    | { readonly kind: 'unreachable'; readonly fault: ProviderFault }
  >
  /**
   * Exchanges the provider's answer for an id_token, and checks it: signature, `iss`, `aud`, nonce, expiry, and for `isFresh` when its user signed
   * in. `callback` is the address that the browser came back to, with its query.
   */
  exchange(
    provider: ProviderRegistration,
    answer: ProviderSecrets & { readonly callback: string; readonly isFresh: boolean },
  ): Promise<
    | { readonly kind: 'proven'; readonly identity: ProviderIdentity }
    | { readonly kind: 'refused'; readonly fault: ExchangeFault; readonly reason: string }
  >
  /**
   * Checks a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6): signature, `iss`, `aud`, age, `jti`, `events`, no nonce, and a subject or a session.
   * Asks the provider for its keys only if the token claims to be the provider's.
   */
  readLogout(
    provider: Pick<ProviderRegistration, 'issuer' | 'clientId'>,
    token: string,
  ): Promise<
    | { readonly kind: 'proven'; readonly logout: ProviderLogout }
    | { readonly kind: 'refused'; readonly fault: Exclude<ExchangeFault, 'denied'>; readonly reason: string }
  >
}

/** The rules of organizations about second factors. */
export interface FactorRules {
  /**
   * The names of the user's organizations that require a second factor now, whether the user has one or not. Throws CommonError `invalid_token`,
   * `service_unavailable`.
   */
  listRequiring(caller: Caller): Promise<readonly string[]>
}
