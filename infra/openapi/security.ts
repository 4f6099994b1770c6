import { resourceScopes, type Scope } from '../../lib/core/scopes.ts'
import { carriesToken } from '../manifest.ts'
import type { Operation } from './operation.ts'

/** What each scope allows a client that is not the operator's own. */
const scopes = {
  openid: 'Sign the user in (OpenID Connect)',
  profile: 'Read who the user is, and their organizations',
  email: 'Read the user’s email address',
  offline_access: 'Keep what was granted after the user has left: a refresh token',
  'entitlements:read': 'Read what an organization may use',
  'billing:read': 'Read subscriptions, invoices, cards, prices and billing details',
  'billing:write': 'Buy, cancel and pay, and change cards and billing details',
  'members:read': 'Read the members of an organization',
  'audit_log:read': 'Read the audit log of an organization',
  'events:read': 'Read the events of an organization',
} as const satisfies Record<Scope, string>

/** What clients ask for by themselves: API clients of organizations, and service clients, which only read. */
const scopesWithoutUser = Object.fromEntries(resourceScopes.map((scope) => [scope, scopes[scope]]))

/** How callers prove who they are. URLs are relative to the server, as OpenAPI 3.1 allows: no address is written down. */
export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token (RFC 9068) from `POST /api/oauth/token`',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'The same access token, by way of the hosted sign-in, for which PKCE with S256 is required; or of a client by itself: an API client of an organization, or a service client, which reads every organization.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/api/oauth/authorize',
        tokenUrl: '/api/oauth/token',
        refreshUrl: '/api/oauth/token',
        scopes,
      },
      clientCredentials: { tokenUrl: '/api/oauth/token', scopes: scopesWithoutUser },
    },
  },
  clientBasic: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret` of a client, beside a form body (RFC 6749 §2.3.1)',
  },
} as const

/** What an operation asks for: an access token, with the scopes that clients other than the operator's own need; client credentials in the header or else in the body, or nothing. */
export function securityOf({ row, contract }: Operation): Record<string, string[]>[] {
  if (carriesToken(row)) return [{ accessToken: [] }, { oauth2: contract.scope?.split(' ') ?? [] }]
  return row.caller === 'client' ? [{ clientBasic: [] }, {}] : []
}
