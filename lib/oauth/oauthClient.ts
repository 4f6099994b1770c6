import * as z from 'zod/mini'
import type { ApiClientId } from '../core/ids.ts'
import type { ResourceScope, Scope } from '../core/scopes.ts'
import type { SecretDigest } from './secretDigest.ts'

/** The grants this service serves: RFC 6749 §4.1.3, §6 and §4.4; the last one for API clients of organizations alone. */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const
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
  /** The digests of its valid secrets: one, two while they are rotated, none for a public client. */
  secretDigests: readonly SecretDigest[]
  grantTypes: readonly GrantType[]
  /** What it may ask its users for; every scope that exists where undefined. */
  scopes?: readonly Scope[]
  /** Compared as `isRegistered` (`redirectUri.ts`) does. */
  redirectUris: readonly string[]
  /** Where the browser may go after the end of a session, compared likewise. */
  postLogoutRedirectUris: readonly string[]
  /** Such a client is treated as one that does not exist. */
  disabled: boolean
  /** A client of the operator's own: its users are not asked for consent, and it gets refresh tokens without asking for `offline_access`. */
  firstParty?: boolean
  /** A resource server, which may introspect the tokens of every client; any other client may introspect its own. */
  introspectsAnyToken?: boolean
  /** Of an organization, whose owners made it: it acts for itself, with no user. */
  apiClient?: ApiClientGrant
}
