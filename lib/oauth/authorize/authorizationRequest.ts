import { type AssuranceLevel, assuranceLevels } from '../../core/authentication.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Scope } from '../../core/scopes.ts'
import { organizationOfAcr } from '../../core/stepUp.ts'
import { isRegistered, type RedirectPolicy } from '../client/redirectUri.ts'
import { requestedScopes } from '../client/requestedScopes.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { OAuthClients } from '../ports.ts'
import type { SecretDigest } from '../secretDigest.ts'
import { codeChallengePattern } from '../token/pkce.ts'
import { type AuthorizeParameters, digestRequest, readAuthorizeParameters } from './authorizeParameters.ts'

/** OpenID Connect Core §3.1.2.1. */
const promptValues = ['none', 'login', 'consent', 'select_account'] as const
type Prompt = (typeof promptValues)[number]

/** The valid parameters of an authorization request. */
export interface AuthorizationRequest {
  readonly kind: 'valid'
  readonly scopes: readonly Scope[]
  readonly codeChallenge: string
  readonly prompts: readonly Prompt[]
  /** Seconds since the last sign-in, at most. */
  readonly maxAge: number | undefined
  /** The levels in `acr_values` that exist: any of them satisfies the request. */
  readonly levels: readonly AssuranceLevel[]
  /** The organization whose single sign-on `acr_values` asks for. */
  readonly sso: OrganizationId | undefined
  readonly nonce: string | undefined
  /** An id_token of the user that the client expects, not verified yet. */
  readonly idTokenHint: string | undefined
  /** Of the whole query. */
  readonly digest: SecretDigest
}

/** Error codes of the authorization endpoint: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, and RFC 9470 §5 for `acr_values`. */
type AuthorizeErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'

/** The error response to a request whose redirect URI is known (RFC 6749 §4.1.2.1). */
export interface AuthorizationError {
  readonly kind: 'error'
  readonly error: AuthorizeErrorCode
  readonly error_description: string
}

/** Why an authorization request is answered with an error page: it has no redirect URI that can be trusted (RFC 6749 §4.1.2.1). */
export type UntrustedReason = 'unknown_client' | 'untrusted_redirect_uri'

/** The target of a response: a redirect URI that is registered for the client, and the state to return. */
export interface ResponseTarget {
  redirectUri: string
  state: string | undefined
}

/** A request whose client and redirect URI are known, so that its response may go to the client. */
export interface TrustedRequest {
  readonly kind: 'trusted'
  readonly client: OAuthClient
  readonly target: ResponseTarget
  readonly loginHint: string
  /** If true, the user must not be asked anything. */
  readonly silent: boolean
  readonly parsed: AuthorizationRequest | AuthorizationError
}

/**
 * Reads an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). `untrusted`: the client or its redirect URI is unknown, so the response
 * must not go there.
 * @throws CommonError `service_unavailable`
 */
export async function readAuthorizationRequest(
  { clients, redirectPolicy }: { readonly clients: OAuthClients; readonly redirectPolicy: RedirectPolicy },
  query: string,
): Promise<TrustedRequest | { kind: 'untrusted'; reason: UntrustedReason }> {
  const parameters = readAuthorizeParameters(query)
  const client = await clients.find(parameters.get('client_id') ?? '')
  if (!client || client.disabled) return { kind: 'untrusted', reason: 'unknown_client' }
  const redirectUri = parameters.get('redirect_uri')
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri, redirectPolicy))
    return { kind: 'untrusted', reason: 'untrusted_redirect_uri' }
  const parsed = parse(client, parameters, digestRequest(query))
  return {
    kind: 'trusted',
    client,
    target: { redirectUri, state: parameters.get('state') },
    loginHint: parameters.get('login_hint')?.slice(0, 254) ?? '',
    silent: parsed.kind === 'valid' ? parsed.prompts.includes('none') : parameters.get('prompt') === 'none',
    parsed,
  }
}

function parse(
  client: OAuthClient,
  parameters: AuthorizeParameters,
  digest: SecretDigest,
): AuthorizationRequest | AuthorizationError {
  if (parameters.anyRepeated) return invalid('A parameter is repeated')
  const unsupported = notSupported.find((name) => parameters.get(name) !== undefined)
  if (unsupported !== undefined)
    return authorizationError(`${unsupported}_not_supported`, `There is no ${unsupported} here`)
  const responseType = parameters.get('response_type')
  if (responseType === undefined) return invalid('response_type is missing')
  if (responseType !== 'code')
    return authorizationError('unsupported_response_type', 'The only response_type here is code')
  if ((parameters.get('response_mode') ?? 'query') !== 'query') return invalid('The only response_mode here is query')
  if (!client.grantTypes.includes('authorization_code')) {
    return authorizationError('unauthorized_client', 'The client may not use authorization codes')
  }
  const requested = requestedScopes(client, parameters.get('scope'))
  if (requested.kind === 'refused') return authorizationError('invalid_scope', requested.reason)
  const codeChallenge = parameters.get('code_challenge')
  if (codeChallenge === undefined) return invalid('code_challenge is missing')
  // If the method is missing, it is `plain` (RFC 7636 §4.3), which is not supported (ASVS 5.0 §10.4.6).
  if (parameters.get('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256')
  if (!codeChallengePattern.test(codeChallenge)) return invalid('code_challenge is not of S256')
  const prompts = readPrompts(parameters.get('prompt'))
  if (prompts === undefined) return invalid('prompt is unknown, or none comes with another')
  const maxAge = parameters.get('max_age')
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) return invalid('max_age is not a number of seconds')
  const nonce = parameters.get('nonce')
  if (nonce !== undefined && nonce.length > MAX_NONCE) return invalid('nonce is too long')
  const acr = parameters.get('acr_values')?.split(' ') ?? []
  return {
    kind: 'valid',
    scopes: requested.scopes,
    codeChallenge,
    prompts,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    levels: assuranceLevels.filter((level) => acr.includes(level)),
    sso: acr.map(organizationOfAcr).find((id) => id !== undefined),
    nonce,
    idTokenHint: parameters.get('id_token_hint'),
    digest,
  }
}

/** OpenID Connect Core §6, §7.2.1. */
const notSupported = ['request', 'request_uri', 'registration'] as const

/** Characters: it is stored with the code. */
const MAX_NONCE = 512

function readPrompts(prompt = ''): Prompt[] | undefined {
  const words = prompt.split(' ').filter(Boolean)
  const prompts = words.filter(isPrompt)
  if (prompts.length < words.length || (words.length > 1 && words.includes('none'))) return undefined
  return prompts
}

function isPrompt(word: string): word is Prompt {
  return promptValues.some((value) => value === word)
}

function invalid(description: string): AuthorizationError {
  return authorizationError('invalid_request', description)
}

/** The error response with this code; the description is for the client's developer. */
export function authorizationError(error: AuthorizeErrorCode, error_description: string): AuthorizationError {
  return { kind: 'error', error, error_description }
}
