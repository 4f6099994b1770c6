import * as z from 'zod'
import type { UserId } from '../core/ids.ts'

/** The grants this service serves: RFC 6749 §4.1.3 and §6. */
export const grantTypeSchema = z.enum(['authorization_code', 'refresh_token'])
export type GrantType = z.infer<typeof grantTypeSchema>

/** SHA-256 of a secret, code or refresh token as base64url. The brand keeps a plaintext from being stored by mistake. */
export const secretDigestSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .brand<'SecretDigest'>()
export type SecretDigest = z.infer<typeof secretDigestSchema>

/** Whether a client can keep a secret (RFC 6749 §2.1): a server can, a browser or an app on a machine of its user cannot. */
export const clientTypeSchema = z.enum(['confidential', 'public'])
export type ClientType = z.infer<typeof clientTypeSchema>

/** A registered client. Ids are of `A-Za-z0-9_-`, so that every way of encoding HTTP Basic agrees. */
export interface OAuthClient {
  clientId: string
  type: ClientType
  /** What people are shown of it. */
  name: string
  /** The digests of the secrets that are good: one, two while they are rotated, none for a public client. */
  secretDigests: readonly SecretDigest[]
  grantTypes: readonly GrantType[]
  /** Compared character by character; for a public client the port of a loopback address is free (RFC 8252 §7.3). */
  redirectUris: readonly string[]
  /** Where the end of a session may lead to, compared character by character. */
  postLogoutRedirectUris: readonly string[]
  /** A client that is switched off is to be treated as one that does not exist. */
  disabled: boolean
  /** A client of the house: its users are not asked whether they allow it. */
  firstParty?: boolean
}

export interface OAuthClients {
  /** The client of this id; undefined for any id that is unknown or ill-formed, found out no sooner than a known one. */
  find(clientId: string): Promise<OAuthClient | undefined>
}

/** How clients are registered and changed, by whoever runs the service. */
export interface OAuthClientRegistry {
  /** Every client, in the order of their ids. Reads the whole table: not for a request of anybody's. */
  list(): Promise<OAuthClient[]>
  /** Registers a client. False where the id is taken. */
  create(client: OAuthClient): Promise<boolean>
  /** Writes `after` in the place of `before`. False where somebody else changed the client meanwhile. */
  replace(before: OAuthClient, after: OAuthClient): Promise<boolean>
}

/** What an authorization code stands for. Times are Unix milliseconds. */
export interface AuthorizationCode {
  clientId: string
  userId: UserId
  /** Space-separated; empty where none was granted. */
  scope: string
  /** Present only if the authorization request carried one: then the exchange must repeat it. */
  redirectUri?: string | undefined
  /** PKCE S256 challenge, if the authorization request carried one. */
  codeChallenge?: string | undefined
  validUntil: number
  /** The family of tokens that the first use issued; undefined while unused. */
  familyId?: string | undefined
}

export type ConsumeOutcome =
  | { outcome: 'consumed' }
  | { outcome: 'already_used'; familyId: string }
  | { outcome: 'expired' }

export interface AuthorizationCodes {
  find(digest: SecretDigest): Promise<AuthorizationCode | undefined>
  /** Marks the code as used by `familyId` in one conditional write: of any number of callers exactly one gets `consumed`. */
  consume(digest: SecretDigest, use: { familyId: string; now: number }): Promise<ConsumeOutcome>
  /** Stores a new code, usable once until `validUntil`. */
  issue(digest: SecretDigest, code: AuthorizationCode): Promise<void>
}

/** What a refresh token stands for. Every token of a family ends when the family does, however often it is rotated. */
export interface RefreshToken {
  clientId: string
  userId: UserId
  /** The scope first granted; it stays the same in every rotation (RFC 6749 §6). */
  scope: string
  familyId: string
  /** Unix milliseconds. */
  familyEndsAt: number
  /** Unix milliseconds; undefined while this is the family's newest token. */
  rotatedAt?: number | undefined
}

export type RotateOutcome = 'rotated' | 'already_rotated' | 'family_revoked'

export interface RefreshTokens {
  find(digest: SecretDigest): Promise<RefreshToken | undefined>
  /** Stores the first token of a family. A family revoked before is born dead. */
  issue(digest: SecretDigest, token: RefreshToken): Promise<void>
  /** Replaces `from` by `to` in one transaction, unless `from` was replaced before or the family revoked. */
  rotate(rotation: { from: SecretDigest; to: SecretDigest; token: RefreshToken; now: number }): Promise<RotateOutcome>
  isFamilyRevoked(familyId: string): Promise<boolean>
  /** No token of this family, present or future, is good from now on. Safe to repeat. */
  revokeFamily(family: { familyId: string; now: number }): Promise<void>
}

/** What a genuine access token says (RFC 9068 §2.2). */
export interface AccessTokenClaims {
  tokenId: string
  userId: UserId
  clientId: string
  /** Space-separated; empty where none was granted. */
  scope: string
  /** The family of refresh tokens that it was issued with; undefined for one that was issued alone. */
  familyId: string | undefined
  issuer: string
  audience: string
  /** Unix seconds. */
  issuedAt: number
  expiresAt: number
}

/** Reads access tokens with keys already held. */
export interface AccessTokenReader {
  /** What the token says; `null` for any that is forged, expired or not for us. Asks nobody: whether it was revoked is not known. */
  read(token: string): Promise<AccessTokenClaims | null>
}

/** The public half of a signing key as a member of a JWK Set (RFC 7517 §4). */
export interface PublicJwk {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

/** Signs with a key that never leaves its keeper. */
export interface TokenSigner {
  /** The `kid` of every token signed here. */
  readonly keyId: string
  /** The ES256 signature of `signingInput` (RFC 7515 §5.1), r || s, as base64url. Fails with any error when the keeper is away. */
  sign(signingInput: string): Promise<string>
}
