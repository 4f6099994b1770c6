/**
 * A named failure. Only `code` decides the public answer (`lib/http/answer/errorAnswers.ts`); `message` and `cause` are for the log and never
 * reach a caller.
 */
export class ServiceError<Code extends string = string> extends Error {
  /** Explicit, because minified bundles change the names of classes. */
  override readonly name: string = 'ServiceError'
  readonly code: Code

  constructor(code: Code, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? code, { cause: options.cause })
    this.code = code
  }
}

export type CommonErrorCode = 'unauthorized' | 'invalid_token' | 'precondition_failed' | 'service_unavailable'

/**
 * Failures that any operation can have: the access token is missing, invalid or its grant has ended, the stored state differs from what the
 * caller has seen, or a store or key service is unavailable.
 */
export class CommonError extends ServiceError<CommonErrorCode> {
  override readonly name = 'CommonError'
}

/**
 * The part of a failure that may be logged: the message of our own errors, which is constant. For other errors only the name, and Node's
 * code (`ECONNREFUSED`) if it has one: their messages may quote the input, as those of `JSON.parse` and Stripe do.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9_]{2,40}$/.test(error.code) && error.code
  return code ? `${error.name} ${code}` : error.name
}
