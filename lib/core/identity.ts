import type { Authentication } from './authentication.ts'
import type { Grant } from './grant.ts'
import type { ApiClientId, OrganizationId, PrincipalId, ServiceClientId, UserId } from './ids.ts'
import type { SignInStrength } from './stepUp.ts'

/**
 * The caller and their grant. A signature proves that the grant was given, not that it is live. So the first read of an operation takes a
 * `Caller` and also reads the account and the family.
 */
export interface Caller extends Grant {
  readonly userId: UserId
  /** The sign-in of the grant, if the operation requires a recent sign-in: it is checked together with the account. */
  readonly signInToCheck?: SignInStrength
  /** The sign-in of the grant. Without it, no rule about sign-ins is met. */
  readonly authentication?: Authentication
  /** The client that the token was issued to; undefined on pages of this service. */
  readonly clientId?: string
  /** False for a client that is not one of the operator's own. */
  readonly isFirstParty?: boolean
}

/** A calling API client, which acts only for its own organization. Its scopes have been checked before. */
export interface ApiClientCaller {
  readonly apiClientId: ApiClientId
  readonly organizationId: OrganizationId
  /** The id that revokes its token. */
  readonly familyId: string
}

/** A calling service client of the operator, which reads every organization. Its scopes have been checked before. */
export interface ServiceCaller {
  readonly serviceClientId: ServiceClientId
  /** The client's revision when its token was issued. */
  readonly securityRev: number
  /** The id that revokes its token. */
  readonly familyId: string
}

/** Callers of the operations of an organization that require a scope. */
export type Principal = Caller | ApiClientCaller

/** Callers of the operations that read an organization. */
export type AnyCaller = Principal | ServiceCaller

export function isApiClient(caller: AnyCaller): caller is ApiClientCaller {
  return 'apiClientId' in caller
}

export function isServiceClient(caller: AnyCaller): caller is ServiceCaller {
  return 'serviceClientId' in caller
}

/** The actor, as stored in records and at the payment gateway. */
export function principalIdOf(caller: AnyCaller): PrincipalId {
  if (isServiceClient(caller)) return caller.serviceClientId
  return isApiClient(caller) ? caller.apiClientId : caller.userId
}

/** The claims of a verified access token about its client. */
interface TokenGrant {
  /** Space-separated; empty if none was granted. */
  readonly scope: string
  /** The token is from one of the operator's own clients (claim `first_party`): it has all rights of its user, whatever `scope` says. */
  readonly isFirstParty: boolean
}

/** An API client, from a verified access token. */
export interface ApiClientIdentity extends ApiClientCaller, TokenGrant {
  readonly isFirstParty: false
}

/** A service client, from a verified access token. */
export interface ServiceIdentity extends ServiceCaller, TokenGrant {
  readonly isFirstParty: false
}

/** The caller, from a verified access token. */
export type AnyIdentity = Identity | ApiClientIdentity | ServiceIdentity

/** The user, from a verified access token (RFC 9068). */
export interface Identity extends Caller, TokenGrant {
  isFirstParty: boolean
  clientId: string
  /** The family whose revocation revokes the token (claim `sid`). */
  familyId: string
  /** The token's original sign-in, however often it was refreshed (claims `auth_time` and `amr`). */
  authentication: Authentication
}

/** Verifies access tokens in-process with a key it already has. It makes no network call, so it does not know whether the grant is live. */
export interface AccessTokenVerifier {
  /** The identity in a valid token; null if it is forged, expired or for another audience. Never throws because of a token. */
  verify(token: string): Promise<AnyIdentity | null>
}
