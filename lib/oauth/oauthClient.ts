import * as z from 'zod/mini'
import type { ApiClientId } from '../core/ids.ts'
import type { ResourceScope, Scope } from '../core/scopes.ts'
import type { SecretDigest } from './secretDigest.ts'

/** RFC 8628 §3.4. */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grants of this service: RFC 6749 §4.1.3, §6 and §4.4, RFC 8628. Only API clients of organizations and service clients may use `client_credentials`. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE] as const
export const grantTypeSchema = z.enum(grantTypes)
export type GrantType = z.infer<typeof grantTypeSchema>

/** Whether a client can keep a secret (RFC 6749 §2.1): a server can, a browser or an app on its user's machine cannot. */
export const clientTypeSchema = z.enum(['confidential', 'public'])
export type ClientType = z.infer<typeof clientTypeSchema>

/** What an API client of an organization may be granted. */
interface ApiClientGrant {
  readonly clientId: ApiClientId
  readonly scopes: readonly ResourceScope[]
}

/** A registered client. Ids are of `A-Za-z0-9_-`, so that every way of encoding HTTP Basic agrees. */
export interface OAuthClient {
  clientId: string
  type: ClientType
  /** Shown on the consent page. */
  name: string
  /** The digests of its valid secrets: two during a rotation, none for a public client. */
  secretDigests: readonly SecretDigest[]
  grantTypes: readonly GrantType[]
  /** The scopes that it may request, a user's client from its users; if undefined, every scope. */
  scopes?: readonly Scope[]
  /** Compared as `isRegistered` (`redirectUri.ts`) does. */
  redirectUris: readonly string[]
  /** URIs that the browser may return to when a session has ended. Compared likewise. */
  postLogoutRedirectUris: readonly string[]
  /** A disabled client is treated as if it did not exist. */
  disabled: boolean
  /** The operator's own client: its users are not asked for consent, and it gets refresh tokens without `offline_access`. */
  firstParty?: boolean
  /** A resource server: it may introspect the tokens of every client. Other clients may introspect only their own tokens. */
  introspectsAnyToken?: boolean
  /** Present if it is a service client of the operator: how often its grants were ended. Its tokens are of its revision. */
  securityRev?: number
  /** Present if the client belongs to an organization, whose owners created it: it acts for itself, with no user. */
  apiClient?: ApiClientGrant
}
