import type { Arrival, Authentication, SignOn } from '../core/authentication.ts'
import type { GrantState } from '../core/grant.ts'
import type { Caller } from '../core/identity.ts'
import type { ApiClientId, OrganizationId, ServiceClientId, UserId } from '../core/ids.ts'
import type { ResourceScope } from '../core/scopes.ts'
import type { OAuthClient } from './oauthClient.ts'
import type { SecretDigest } from './secretDigest.ts'

export interface OAuthClients {
  /** The client with this id; undefined if the id is unknown or ill-formed, after the same time as for a known id. */
  find(clientId: string): Promise<OAuthClient | undefined>
}

/** The origins of the pages that enabled clients' URIs lead to. */
export interface ClientOrigins {
  /** Each origin once. If a client was written within the last second, it may be missing. Rejects with any error, and when `signal` is aborted. */
  list(signal: AbortSignal): Promise<readonly string[]>
}

/** How the operator registers and changes clients. */
export interface OAuthClientRegistry {
  /** Every client, in the order of their ids. Reads the whole table: for commands, not for requests. */
  list(): Promise<OAuthClient[]>
  /** Registers a client. False if the id is taken. */
  create(client: OAuthClient): Promise<boolean>
  /** Replaces `before` by `after`. False if the stored client is not `before` any more. */
  replace(before: OAuthClient, after: OAuthClient): Promise<boolean>
}

/** A stored authorization code. Times are Unix milliseconds. */
export interface AuthorizationCode {
  clientId: string
  userId: UserId
  /** The account's revision when it was issued; the tokens get the same. */
  securityRev: number
  /** The sign-in of the session in which it was issued; the tokens get the same. */
  authentication: Authentication
  /** Space-separated; empty if no scope was granted. */
  scope: string
  /** Present only if the authorization request had a redirect URI: then the exchange must repeat it. */
  redirectUri?: string | undefined
  /** The PKCE S256 challenge, if the authorization request had one. */
  codeChallenge?: string | undefined
  /** Of the authorization request, for the id_token. */
  nonce?: string | undefined
  validUntil: number
  /** The family of tokens that the first use issued; undefined while unused. */
  familyId?: string | undefined
  /** The browser's session: when it ends, the tokens end. Undefined if the client is not first-party. */
  sessionId?: string | undefined
  /**
   * The browser's session in which a client that is not first-party was allowed, if its user came by a single sign-on: when that ends first, the code is
   * void, because the provider may have signed its user out.
   */
  allowedIn?: string | undefined
  /** The browser in which it was issued, in words. */
  browser?: string | undefined
  /** If true, it gives tokens only while the user's consent to its client exists. */
  needsConsent?: boolean | undefined
  /** If true, it was issued to a device, whose device code it has the digest of: only the grant of devices takes it. */
  isForDevice?: boolean | undefined
}

type ConsumeOutcome = { outcome: 'consumed' } | { outcome: 'already_used'; familyId: string } | { outcome: 'expired' }

/** The first use of a code. */
interface CodeUse {
  familyId: string
  /** Unix milliseconds. */
  now: number
  /** The first refresh token of the family, stored in the same transaction; undefined if the client gets none. */
  refreshToken?: { digest: SecretDigest; token: RefreshToken } | undefined
  /** The family in the user's list, stored in the same transaction; undefined to list nothing. */
  listed?: ListedGrant | undefined
  /** The browser's session in which the code was issued: `expired` if it has ended. */
  browserSession?: { userId: UserId; sessionId: string } | undefined
  /** The consent that the code needs: `expired` if it was withdrawn. */
  consent?: { userId: UserId; clientId: string } | undefined
}

export interface AuthorizationCodes {
  find(digest: SecretDigest): Promise<AuthorizationCode | undefined>
  /** Marks the code as used and stores the issued tokens, all or nothing: exactly one of any number of callers gets `consumed`. */
  consume(digest: SecretDigest, use: CodeUse): Promise<ConsumeOutcome>
  /** Stores a new code, usable once until `validUntil`. */
  issue(digest: SecretDigest, code: AuthorizationCode): Promise<void>
}

/** What a device without a browser asks its user for (RFC 8628). Times are Unix milliseconds. */
export interface DeviceAuthorization {
  clientId: string
  /** Space-separated; empty if the device requested no scope. */
  scope: string
  /** The network that the device asked from. */
  sourceIp: string
  requestedAt: number
  validUntil: number
  /** How long the device must wait between two polls. */
  intervalMilliseconds: number
  /** The last poll while it waited; undefined before the first. */
  polledAt?: number | undefined
  /** Undefined while it waits for its user. */
  decision?: 'allowed' | 'denied' | undefined
  /** Who decided. */
  decidedBy?: UserId | undefined
}

/** What a user decided: with `allowed`, what the device may exchange its code for. */
type DeviceDecision = { decision: 'denied'; userId: UserId } | { decision: 'allowed'; code: AuthorizationCode }

export interface DeviceAuthorizations {
  /** Stores an authorization that both codes find. False if another authorization that has not expired has the user code: nothing is stored. */
  begin(codes: { device: SecretDigest; user: SecretDigest }, authorization: DeviceAuthorization): Promise<boolean>
  find(device: SecretDigest): Promise<DeviceAuthorization | undefined>
  /** Finds it by the code that the user types, even if it has expired or was decided. */
  findByUserCode(user: SecretDigest): Promise<(DeviceAuthorization & { device: SecretDigest }) | undefined>
  /** Notes a poll. False if another poll or a decision came after `read`: nothing is stored. */
  notePoll(
    device: SecretDigest,
    read: DeviceAuthorization,
    poll: Required<Pick<DeviceAuthorization, 'polledAt' | 'intervalMilliseconds'>>,
  ): Promise<boolean>
  /**
   * Stores the decision, with `allowed` also the code under the digest of the device code, all or nothing. False if it had expired at `now`, or was
   * decided otherwise or by another user; safe to repeat.
   */
  decide(device: SecretDigest, decision: DeviceDecision, now: number): Promise<boolean>
}

/** A stored refresh token. Every token of a family expires when the family does, however often it is rotated. */
export interface RefreshToken {
  clientId: string
  userId: UserId
  /** The account's revision when its family began; it stays the same in every rotation. */
  securityRev: number
  /** The sign-in that its family began with; it stays the same in every rotation (RFC 9470 §6.1), but for how long it was idle. */
  authentication: Authentication
  /** The scope first granted; it stays the same in every rotation (RFC 6749 §6). */
  scope: string
  familyId: string
  /** The session in the user's list that the family belongs to; undefined if the session has the family's own id. */
  sessionId?: string | undefined
  /** Unix milliseconds. */
  familyEndsAt: number
  /** Unix milliseconds; undefined while this is the family's newest token. */
  rotatedAt?: number | undefined
  /** The salt that its successor was derived with (`deriveSuccessor`); undefined if it was rotated before successors were derived. */
  successorSalt?: string | undefined
  /** When the family's use was last noted in the user's list, Unix milliseconds; undefined if the token is older than this member. */
  listedAt?: number | undefined
  /** When it was issued, Unix milliseconds; undefined if the token is older than this member. */
  issuedAt?: number | undefined
}

/** The replacement of a family's newest token. */
interface Rotation {
  from: SecretDigest
  to: SecretDigest
  /** The successor. */
  token: RefreshToken
  /** What `to` was derived with. */
  successorSalt: string
  /** Unix milliseconds. */
  now: number
  /** Whether to note in the user's list that the family was used. */
  notesUse: boolean
}

type RotateOutcome = 'rotated' | 'already_rotated' | 'family_revoked'

export interface RefreshTokens {
  find(digest: SecretDigest): Promise<RefreshToken | undefined>
  /**
   * Replaces `from` by `to` in one transaction, unless `from` was replaced before or the family was revoked. If `notesUse`, also notes the use in
   * the user's list. `already_rotated` also if another caller is replacing it at this moment.
   */
  rotate(rotation: Rotation): Promise<RotateOutcome>
  isFamilyRevoked(familyId: string): Promise<boolean>
  /** Ends every token of this family, even if it is issued later. Safe to repeat. */
  revokeFamily(family: { familyId: string; now: number }): Promise<void>
}

/** An API client of an organization as it authenticates, and may be granted. Times are Unix milliseconds. */
export interface ApiClientLogin {
  clientId: ApiClientId
  name: string
  scopes: readonly ResourceScope[]
  /** The digest of its newest secret; for a while after a rotation, also of the previous secret. */
  secretDigest: SecretDigest
  previousSecret?: { digest: SecretDigest; validUntil: number } | undefined
}

/** API clients of organizations, for the endpoints that authenticate them. Throws CommonError `service_unavailable`. */
export interface ApiClientLogins {
  find(clientId: ApiClientId): Promise<ApiClientLogin | undefined>
  /** Notes when a client was last used, if the last note is an hour old. `now` is Unix milliseconds. A deleted client stays deleted. */
  noteUse(clientId: ApiClientId, now: number): Promise<void>
}

/** The claims of a verified access token (RFC 9068 §2.2): of a user, or of an API client or a service client by itself. */
export type AccessTokenClaims = TokenClaims & (UserSubject | ApiClientSubject | ServiceSubject)

/** A user, and the grant that the token was issued under. */
interface UserSubject {
  kind: 'user'
  userId: UserId
  /** The account's revision when its family began. */
  securityRev: number
  authentication: Authentication
}

/** An API client, for its own organization. */
interface ApiClientSubject {
  kind: 'api_client'
  apiClientId: ApiClientId
  organizationId: OrganizationId
}

/** A service client, for every organization. */
interface ServiceSubject {
  kind: 'service'
  serviceClientId: ServiceClientId
  /** The client's revision when the token was issued. */
  securityRev: number
}

interface TokenClaims {
  tokenId: string
  clientId: string
  /** Space-separated; empty if no scope was granted. */
  scope: string
  /** Whether the client is the operator's own. */
  isFirstParty: boolean
  /** The token is revoked with this family, which is also the family of its refresh tokens, if there are any. */
  familyId: string
  issuer: string
  audience: string
  /** Unix seconds. */
  issuedAt: number
  expiresAt: number
}

/** Verifies access tokens with keys in memory. */
export interface AccessTokenReader {
  /**
   * Null if the token is forged, expired or of another issuer or audience. Makes no call: if the grant has ended, it still returns the claims,
   * and the caller checks the grant (`core/grant.ts`).
   */
  read(token: string): Promise<AccessTokenClaims | null>
}

/** Verifies id_tokens with keys in memory. */
export interface IdTokenReader {
  /**
   * The user, the client and the family of tokens in an id_token of this service, even if it has expired. Undefined for any other text.
   * Makes no call.
   */
  read(token: string): Promise<{ userId: UserId; clientId: string; familyId: string } | undefined>
}

/** The public half of a signing key as a member of a JWK Set (RFC 7517 §4, RFC 7518 §6.3). */
export interface PublicJwk {
  kid: string
  use: 'sig'
  kty: 'RSA'
  n: string
  e: string
  alg: 'RS256'
}

/** Signs with a private key that cannot be read. */
export interface TokenSigner {
  /** The `kid` of every token signed here. */
  readonly keyId: string
  /** The `alg` of every token signed here. */
  readonly algorithm: 'RS256'
  /** The signature of `signingInput` (RFC 7515 §5.1) as base64url. Rejects with any error when it cannot sign. */
  sign(signingInput: string): Promise<string>
}

/** A signed-in browser. Times are Unix milliseconds. */
export interface Session {
  /** The session in the user's list: the same id when the user signs in again in the same browser. Not secret. */
  id: string
  userId: UserId
  /** The revision of the account whose password was checked. */
  securityRev: number
  authentication: Authentication
  /** The digest of the authorization request that the sign-in took place for; undefined if the session is older than this member. */
  signedInFor?: SecretDigest | undefined
  validUntil: number
  /** The browser in words, such as `Firefox on Linux`; undefined if it is not known. */
  browser?: string | undefined
}

/** Sessions by the digest of the secret in the cookie. */
export interface Sessions {
  /** Also returns a session that has expired: the caller checks `validUntil`. */
  find(digest: SecretDigest): Promise<Session | undefined>
  /**
   * Stores the session and lists it for its user, all or nothing. If `joins` and the listed session with this id has ended, or if a logout
   * has ended the arrival, returns false and stores nothing.
   * @param joins whether the session takes over the id of the session that it replaces
   */
  start(digest: SecretDigest, session: Session, joins: boolean, arrival?: Arrival): Promise<boolean>
  /** Ends the session with this cookie, but no grants that were given in it. Safe to repeat. */
  end(digest: SecretDigest): Promise<void>
}

/** A family of tokens as it is listed for its user. Times are Unix milliseconds. */
export interface ListedGrant extends SignOn {
  userId: UserId
  /** The listed session that it belongs to and ends with: the browser's session, or its own, which has the family's id. */
  sessionId: string
  familyId: string
  clientId: string
  securityRev: number
  lastUsedAt: number
  /** When the last of its tokens expires. */
  endsAt: number
  browser?: string | undefined
  /** The longest pause in its use, as its tokens have it. */
  idleSeconds?: number | undefined
}

/** A browser's session as it is listed for its user. Times are Unix milliseconds. */
interface ListedBrowser {
  id: string
  securityRev: number
  createdAt: number
  /** Its last sign-in. */
  lastUsedAt: number
  validUntil: number
  browser?: string | undefined
  /** The organization whose single sign-on its user came by, at any of its sign-ins. */
  sso?: OrganizationId | undefined
  /** The digests of the sessions there, of all its sign-ins. */
  ssoSessions?: readonly string[] | undefined
  /** False when it was ended, or when no cookie has it any more. */
  isOpen: boolean
}

/** Everything that is listed for a user, even if it has ended or expired. */
export interface ListedSessions {
  account: GrantState
  browsers: readonly ListedBrowser[]
  grants: readonly (ListedGrant & { createdAt: number; isRevoked: boolean })[]
}

/** The sessions and families of tokens of each user. */
export interface UserSessions {
  /** Reads consistently. @throws CommonError `invalid_token` if the caller's grant has ended; `service_unavailable` */
  list(caller: Caller): Promise<ListedSessions>
  /**
   * Marks a browser's session as ended: from then on no code that was issued in it gives tokens, and no sign-in joins it. Returns the digests
   * of its cookies; undefined if no browser has a session with this id. Safe to repeat.
   * @param now Unix milliseconds
   */
  close(userId: UserId, sessionId: string, now: number): Promise<readonly SecretDigest[] | undefined>
  /** What first-party clients got in a browser's session, even if it is revoked. Reads consistently. */
  grantsIn(userId: UserId, sessionId: string): Promise<readonly (ListedGrant & { createdAt: number })[]>
  /** The families of a user, only those of the session or the client if given, even if they are revoked. Reads consistently. */
  families(userId: UserId, only: { sessionId?: string; clientId?: string }): Promise<string[]>
  /** Who came by this session at the provider of a company. Reads consistently. */
  usersBy(ssoSession: string): Promise<UserId[]>
  /**
   * Notes logouts at the provider of a company, by their names: no session starts any more by what arrived before. Safe to repeat.
   * @param at Unix milliseconds
   */
  noteLogouts(names: readonly string[], at: number): Promise<void>
}

/** The grants that the users of a client have given it. */
export interface ClientGrants {
  /**
   * The families of a client's tokens that have not expired at `now` (Unix milliseconds), even if they are revoked. Reads the whole table: for
   * commands, not for requests. Throws CommonError `service_unavailable`.
   */
  families(clientId: string, now: number): Promise<string[]>
}

/** What a user has allowed a client. */
export interface Consent {
  /** Space-separated; empty if the client requested no scope. */
  scope: string
  /** Unix milliseconds. */
  givenAt: number
}

/** The consent that each user has given to each client. */
export interface Consents {
  find(userId: UserId, clientId: string): Promise<Consent | undefined>
  /** Replaces an earlier consent. */
  give(userId: UserId, clientId: string, consent: Consent): Promise<void>
  /** Every consent of this user, by client, in the order of their ids. Reads consistently. */
  list(userId: UserId): Promise<(Consent & { clientId: string })[]>
  /** Withdraws a consent: from then on no code that needs it gives tokens. Safe to repeat. */
  withdraw(userId: UserId, clientId: string): Promise<void>
}
