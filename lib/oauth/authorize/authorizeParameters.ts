import { digestSecret, type SecretDigest } from '../secretDigest.ts'
import { postedQuery } from '../session/postedQuery.ts'

/** The parameters of an authorization request (RFC 6749 §3.1). Unknown parameters are ignored; an empty parameter counts as omitted. */
export interface AuthorizeParameters {
  /** The value of a parameter; undefined if it was omitted or repeated. */
  get(name: ParameterName): string | undefined
  isRepeated(name: ParameterName): boolean
  /** Whether any parameter that this service knows was sent twice. */
  readonly anyRepeated: boolean
}

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'acr_values',
  'nonce',
  'id_token_hint',
  'request',
  'request_uri',
  'registration',
  'login_hint',
  'ui_locales',
] as const

type ParameterName = (typeof names)[number]

/** @param query percent-encoded, without `?` */
export function readAuthorizeParameters(query: string): AuthorizeParameters {
  const sent = new URLSearchParams(query)
  const isRepeated = (name: ParameterName) => sent.getAll(name).length > 1
  return {
    get: (name) => (isRepeated(name) ? undefined : sent.get(name) || undefined),
    isRepeated,
    anyRepeated: names.some(isRepeated),
  }
}

/** Identifies an authorization request, however its query is encoded. A session stores it to know which request the user signed in for. */
export function digestRequest(query: string): SecretDigest {
  return digestSecret(new URLSearchParams(query).toString())
}

/**
 * The query of an authorization request that was sent as a form (OpenID Connect Core §3.1.2.1), with the parameters of such a request only.
 * `too_long` if it does not fit into an address. Undefined for any other form: this service's own forms have an `action`.
 */
export function readPostedRequest(form: string): string | 'too_long' | undefined {
  const sent = new URLSearchParams(form)
  return sent.has('action') || !sent.has('client_id') ? undefined : postedQuery(sent, names)
}
