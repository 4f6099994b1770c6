import type { Authentication } from './authentication.ts'
import type { Grant } from './grant.ts'
import type { ApiClientId, OrganizationId, PrincipalId, UserId } from './ids.ts'
import type { SignInStrength } from './stepUp.ts'

/**
 * Who calls, and by which grant. A signature says that the grant was given, not that it is live: what an operation reads first takes
 * a `Caller`, and reads the account and the family with it.
 */
export interface Caller extends Grant {
  readonly userId: UserId
  /** The sign-in behind the grant, where the operation asks for a recent one: it is checked with the account. */
  readonly signInToCheck?: SignInStrength
}

/** An API client that calls, for its own organization alone. What it may do there is what its token was granted, which was checked before. */
export interface ApiClientCaller {
  readonly apiClientId: ApiClientId
  readonly organizationId: OrganizationId
  /** What its token is revoked with. */
  readonly familyId: string
}

/** Who may call the operations of an organization that name a scope of one. */
export type Principal = Caller | ApiClientCaller

export function isApiClient(caller: Principal): caller is ApiClientCaller {
  return 'apiClientId' in caller
}

/** Who acts, as records and the payment gateway keep it. */
export function principalIdOf(caller: Principal): PrincipalId {
  return isApiClient(caller) ? caller.apiClientId : caller.userId
}

/** What a verified access token says of its client. */
interface TokenGrant {
  /** Space-separated; empty where none was granted. */
  readonly scope: string
  /** The token is one of the operator's own clients (claim `first_party`): it acts with all of its user's rights, whatever `scope` says. */
  readonly isFirstParty: boolean
}

/** An API client as named by a verified access token. */
export interface ApiClientIdentity extends ApiClientCaller, TokenGrant {
  readonly isFirstParty: false
}

/** The user as named by a verified access token (RFC 9068). */
export interface Identity extends Caller, TokenGrant {
  clientId: string
  /** What the token is revoked with: its family (claim `sid`). */
  familyId: string
  /** The sign-in that the token goes back to, however often it was refreshed (claims `auth_time` and `amr`). */
  authentication: Authentication
}

/** Verifies access tokens in-process with a key it already holds: no network call, and therefore no word on whether the grant is live. */
export interface AccessTokenVerifier {
  /** The identity in a valid token; null for a forged or expired one, or one of another audience. Never throws for a token. */
  verify(token: string): Promise<Identity | ApiClientIdentity | null>
}
