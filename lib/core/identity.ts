import type { UserId } from './ids.ts'

/** The caller as named by a verified access token (RFC 9068). */
export interface Identity {
  userId: UserId
  clientId: string
  scope: string
  /** The family of refresh tokens that the token was issued with (claim `sid`); undefined for a token without one. */
  familyId?: string | undefined
}

/** Verifies access tokens in-process with a key it already holds: no network call. */
export interface AccessTokenVerifier {
  /** The identity in a valid token; null for a forged or expired one, or one of another audience. Never throws for a token. */
  verify(token: string): Promise<Identity | null>
}
