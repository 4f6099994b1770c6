import type { Authentication } from './authentication.ts'
import type { Grant } from './grant.ts'
import type { UserId } from './ids.ts'
import type { SignIn } from './stepUp.ts'

/**
 * Who calls, and by which grant. A signature says that the grant was given, not that it is live: what an operation reads first takes
 * a `Caller`, and reads the account and the family with it.
 */
export interface Caller extends Grant {
  readonly userId: UserId
  /** The sign-in behind the grant, where the operation asks for a recent one: it is checked with the account. */
  readonly signInToCheck?: SignIn
}

/** The caller as named by a verified access token (RFC 9068). */
export interface Identity extends Caller {
  clientId: string
  /** Space-separated; empty where none was granted. */
  scope: string
  /** The token is one of the operator's own clients (claim `first_party`): it acts with all of its user's rights, whatever `scope` says. */
  isFirstParty: boolean
  /** What the token is revoked with: its family (claim `sid`). */
  familyId: string
  /** The sign-in that the token goes back to, however often it was refreshed (claims `auth_time` and `amr`). */
  authentication: Authentication
}

/** Verifies access tokens in-process with a key it already holds: no network call, and therefore no word on whether the grant is live. */
export interface AccessTokenVerifier {
  /** The identity in a valid token; null for a forged or expired one, or one of another audience. Never throws for a token. */
  verify(token: string): Promise<Identity | null>
}
