import { digestSecret, type SecretDigest } from './secretDigest.ts'

/** The parameters of an authorization request (RFC 6749 §3.1): unknown ones are ignored, an empty one counts as omitted. */
export interface AuthorizeParameters {
  /** The value of a parameter that was sent once; undefined where it was omitted or repeated. */
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

/** One authorization request, however its query is encoded: what a sign-in that takes place for it is remembered by. */
export function digestRequest(query: string): SecretDigest {
  return digestSecret(new URLSearchParams(query).toString())
}
