import { carriesToken } from '../manifest.ts'
import type { HttpRow } from './operation.ts'

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
    description: 'The same access token, by way of the hosted sign-in. PKCE with S256 is required.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/api/oauth/authorize',
        tokenUrl: '/api/oauth/token',
        refreshUrl: '/api/oauth/token',
        scopes: {},
      },
    },
  },
  clientBasic: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret` of a client, beside a form body (RFC 6749 §2.3.1)',
  },
} as const

/** What an operation asks for: an access token, client credentials in the header or else in the body, or nothing. */
export function securityOf(row: HttpRow): Record<string, string[]>[] {
  if (carriesToken(row)) return [{ accessToken: [] }, { oauth2: [] }]
  return row.caller === 'client' ? [{ clientBasic: [] }, {}] : []
}
