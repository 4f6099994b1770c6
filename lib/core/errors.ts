/**
 * A failure with a name. The public answer is chosen from `code` alone (`lib/http/errorAnswers.ts`);
 * `message` and `cause` are for the log and never reach a caller.
 */
export class ServiceError<Code extends string = string> extends Error {
  readonly code: Code

  constructor(code: Code, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? code, { cause: options.cause })
    this.name = new.target.name
    this.code = code
  }
}

export type CommonErrorCode = 'unauthorized' | 'invalid_token' | 'service_unavailable'

/** Failures that any operation can have: no or a bad access token, or a store or key service that is away. */
export class CommonError extends ServiceError<CommonErrorCode> {}
