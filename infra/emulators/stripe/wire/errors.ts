/** The members of Stripe's error object that the emulator sends. */
export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  advice_code?: string
  charge?: string
  payment_intent?: object
  payment_method?: object
  setup_intent?: object
}

/**
 * A refusal, answered as `{"error": ...}`. What the request wrote is undone, except with `keepWrites`, as for a declined charge.
 */
export class StripeFault extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly keepWrites: boolean

  constructor(status: number, body: ErrorBody, how: { keepWrites?: boolean } = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.keepWrites = how.keepWrites ?? false
  }
}

/** A 400 with a code and, if a parameter is to blame, its name. */
export function invalidRequest(message: string, code?: string, param?: string): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    message,
    ...(code && { code }),
    ...(param && { param }),
  })
}

/** A required parameter was not sent: 400. */
export function missingParam(param: string): StripeFault {
  return invalidRequest(`Missing required param: ${param}.`, 'parameter_missing', param)
}

/** Two parameters that exclude each other were sent: 400. */
export function exclusiveParams(one: string, other: string): StripeFault {
  return invalidRequest(`You may only specify one of these parameters: ${one}, ${other}.`, 'parameters_exclusive')
}

/** A time that must lie ahead is past: 400. */
export function notInFuture(param: string): StripeFault {
  return invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', undefined, param)
}

/** The object named by a parameter does not exist: 400 (404 when it is an object of the path, whose own parameter is `id`). */
export function resourceMissing(
  noun: string,
  id: string,
  param: string,
  status: 400 | 404 = param === 'id' ? 404 : 400,
): StripeFault {
  return new StripeFault(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param,
  })
}

/** A method and path that Stripe does not have: 404. */
export function unrecognizedUrl(method: string, path: string): StripeFault {
  const hint = path.endsWith('/')
    ? 'If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid ' +
      '(non-empty) identifier in your code. '
    : ''
  const message =
    `Unrecognized request URL (${method}: ${path}). ${hint}` +
    'Please see https://stripe.com/docs or we can help at https://support.stripe.com/.'
  return new StripeFault(404, { type: 'invalid_request_error', message })
}
