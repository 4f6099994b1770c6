import * as z from 'zod/mini'
import { assuranceLevels } from '../../core/authentication.ts'
import { languages } from '../../core/language.ts'
import { scopes } from '../../core/scopes.ts'
import { described } from '../../http/schema.ts'
import { grantTypes } from '../oauthClient.ts'

/** How a client may authenticate; `none` is a public client, which sends its id in the body. */
const withSecret = ['client_secret_basic', 'client_secret_post'] as const
const anyClient = [...withSecret, 'none'] as const

/** At least one name. */
export const names = z.array(z.string()).check(z.minLength(1))

export const serverMetadata = z.strictObject({
  issuer: described('The `iss` of every token', z.url()),
  authorization_endpoint: described('Where users sign in', z.url()),
  token_endpoint: described('Where clients get tokens', z.url()),
  device_authorization_endpoint: described('Where devices without a browser begin (RFC 8628)', z.url()),
  revocation_endpoint: described('Where clients give tokens back', z.url()),
  introspection_endpoint: described('Where clients ask about tokens', z.url()),
  jwks_uri: described('The keys that verify signatures', z.url()),
  scopes_supported: described('Every scope', names),
  response_types_supported: described('Every `response_type`', names),
  response_modes_supported: described('Every `response_mode`', names),
  grant_types_supported: described('Every `grant_type`', names),
  code_challenge_methods_supported: described('Every `code_challenge_method` (RFC 7636)', names),
  ui_locales_supported: described('The languages of the pages', names),
  token_endpoint_auth_methods_supported: described('How clients authenticate for tokens', names),
  revocation_endpoint_auth_methods_supported: described('How clients authenticate to revoke', names),
  introspection_endpoint_auth_methods_supported: described('How clients authenticate to introspect', names),
  authorization_response_iss_parameter_supported: described(
    'Authorization responses have `iss` (RFC 9207)',
    z.literal(true),
  ),
})

/**
 * The metadata of this authorization server (RFC 8414 §2, RFC 8628 §4): everything that it supports. Every URL is at the issuer's origin, from which
 * the document itself is fetched.
 * @param issuer exactly the `iss` of its tokens
 */
export function authorizationServerMetadata(issuer: string) {
  const at = (path: string) => new URL(path, issuer).href
  return {
    issuer,
    authorization_endpoint: at('/api/oauth/authorize'),
    token_endpoint: at('/api/oauth/token'),
    device_authorization_endpoint: at('/api/oauth/device_authorization'),
    revocation_endpoint: at('/api/oauth/revoke'),
    introspection_endpoint: at('/api/oauth/introspect'),
    jwks_uri: at('/.well-known/jwks.json'),
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    ui_locales_supported: languages,
    token_endpoint_auth_methods_supported: anyClient,
    revocation_endpoint_auth_methods_supported: anyClient,
    introspection_endpoint_auth_methods_supported: withSecret,
    authorization_response_iss_parameter_supported: true as const,
  }
}

/** The same for OpenID clients (OpenID Connect Discovery 1.0 §3). */
export function openidConfiguration(issuer: string) {
  const at = (path: string) => new URL(path, issuer).href
  return {
    ...authorizationServerMetadata(issuer),
    userinfo_endpoint: at('/api/oauth/userinfo'),
    end_session_endpoint: at('/api/oauth/logout'),
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    acr_values_supported: assuranceLevels,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claim_types_supported: ['normal'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'sid'],
      ...['preferred_username', 'email', 'email_verified'],
    ],
    claims_parameter_supported: false as const,
    request_parameter_supported: false as const,
    // The default is true.
    request_uri_parameter_supported: false as const,
  }
}
