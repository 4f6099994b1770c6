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

/** A registered, confidential client. Ids are of `A-Za-z0-9_-`, so that every way of encoding HTTP Basic agrees. */
export interface OAuthClient {
  clientId: string
  secretDigest: SecretDigest
  grantTypes: readonly GrantType[]
  redirectUris: readonly string[]
}

export interface OAuthClients {
  /** The client of this id; undefined for any id that is unknown or ill-formed, found out no sooner than a known one. */
  find(clientId: string): Promise<OAuthClient | undefined>
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
  /** No token of this family, present or future, is good from now on. Safe to repeat. */
  revokeFamily(family: { familyId: string; now: number }): Promise<void>
}

/** Signs with a key that never leaves its keeper. */
export interface TokenSigner {
  /** The `kid` of every token signed here. */
  readonly keyId: string
  /** The ES256 signature of `signingInput` (RFC 7515 §5.1), r || s, as base64url. Fails with any error when the keeper is away. */
  sign(signingInput: string): Promise<string>
}
