import type { errorCodes } from './operations.ts'
import type { ValidationError } from './schema.ts'

/**
 * The code of a refusal: the `code` of the API's error, `validation_error` for a 422 with its list of problems, and `unexpected_answer` if
 * the answer is not the API's, such as from a proxy.
 */
export type ErrorCode = (typeof errorCodes)[number] | 'validation_error' | 'unexpected_answer'

/** The API refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** For programs. A code that is newer than this client is possible. */
  readonly code: ErrorCode
  /** For people: a sentence in English. */
  readonly detail: string
  /** For support; undefined if the answer had none. */
  readonly requestId: string | undefined
  /** How long the API asks to wait. */
  readonly retryAfterSeconds: number | undefined
  /** Of a 422: every problem of the request, with its place. */
  readonly problems: readonly ValidationError[]
  /** The answer's JSON as it came. */
  readonly body: unknown
  /** The header `WWW-Authenticate`: the sign-in that a 401 requires. */
  readonly challenge: string | undefined
  /**
   * Of a 401 `insufficient_user_authentication`: this request needs a newer sign-in or a second factor. Pass these as `parameters` of
   * `signIn()`, and send the request again when the user is back.
   */
  readonly stepUp: Readonly<Record<string, string>> | undefined

  constructor(answer: Omit<ApiError, keyof Error>) {
    super(`${answer.status} ${answer.code}: ${answer.detail}`)
    this.status = answer.status
    this.code = answer.code
    this.detail = answer.detail
    this.requestId = answer.requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
    this.problems = answer.problems
    this.body = answer.body
    this.challenge = answer.challenge
    this.stepUp = answer.stepUp
  }
}

/** No answer came: the request may have been carried out or not. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** There are no tokens, or they are no longer good: the user has to sign in. */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError'
}

/** Another user has signed in in another tab of this browser: this client sends nothing in that user's name. Reload the page. */
export class UserChangedError extends Error {
  override readonly name = 'UserChangedError'
}

/** The way back from the sign-in did not begin in this browser, or was used before: start a new `signIn()`. */
export class UnknownSignInError extends Error {
  override readonly name = 'UnknownSignInError'
}

/** The user or the server refused the sign-in: `code` is OAuth's, such as `access_denied`. */
export class SignInRefusedError extends Error {
  override readonly name = 'SignInRefusedError'
  readonly code: string
  readonly returnTo: string | undefined

  constructor(code: string, description: string, returnTo: string | undefined) {
    super(`${code}: ${description}`)
    this.code = code
    this.returnTo = returnTo
  }
}

/** Whether a caught error is the API's refusal, with this code if you give it. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && (code === undefined || error.code === code)
}
