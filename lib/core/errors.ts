/**
 * A failure with a name. The public answer is chosen from `code` alone (`lib/http/errorAnswers.ts`);
 * `message` and `cause` are for the log and never reach a caller.
 */
export class ServiceError<Code extends string = string> extends Error {
  /** Written out, because minified bundles change the names of classes. */
  override readonly name: string = 'ServiceError'
  readonly code: Code

  constructor(code: Code, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? code, { cause: options.cause })
    this.code = code
  }
}

export type CommonErrorCode = 'unauthorized' | 'invalid_token' | 'precondition_failed' | 'service_unavailable'

/**
 * Failures that any operation can have: no access token, or one that is invalid or whose grant has ended, something else stored than the caller has seen, or a store or
 * key service that is unavailable.
 */
export class CommonError extends ServiceError<CommonErrorCode> {
  override readonly name = 'CommonError'
}

/**
 * What may be logged of a failure: the message of an error of ours, which is constant; of any other its name, because its
 * message may quote the input, as those of `JSON.parse` and of Stripe do, and Node's code (`ECONNREFUSED`) where it has one.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9_]{2,40}$/.test(error.code) && error.code
  return code ? `${error.name} ${code}` : error.name
}
