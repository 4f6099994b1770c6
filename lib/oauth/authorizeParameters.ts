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

/**
 * The query to continue with after a sign-in: without the parameters that asked for the sign-in, or they would ask for it again.
 * A repeated parameter stays, and is refused.
 */
export function afterSignIn(query: string): string {
  const parameters = new URLSearchParams(query)
  if (parameters.getAll('max_age').length === 1) parameters.delete('max_age')
  const [prompt, ...repeats] = parameters.getAll('prompt')
  if (prompt === undefined || repeats.length > 0) return parameters.toString()
  const rest = prompt.split(' ').filter((word) => word !== 'login')
  if (rest.length > 0) parameters.set('prompt', rest.join(' '))
  else parameters.delete('prompt')
  return parameters.toString()
}
