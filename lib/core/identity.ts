import type { UserId } from './ids.ts'

/** Who is calling, as a verified access token says (RFC 9068). */
export interface Identity {
  userId: UserId
  clientId: string
  scope: string
  /** The family of refresh tokens that the token was issued with (claim `sid`); undefined where the token names none. */
  familyId?: string | undefined
}

/** Verifies access tokens in-process with a key already held: no network call. */
export interface AccessTokenVerifier {
  /** The identity in a valid token; `null` for any token that is forged, expired or not for us. Never throws for a bad token. */
  verify(token: string): Promise<Identity | null>
}
