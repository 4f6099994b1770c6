import { ServiceError } from '../core/errors.ts'

/** Codes of `RequestError`. */
export type RequestErrorCode =
  | 'not_found'
  | 'method_not_allowed'
  | 'internal_error'
  | 'payload_too_large'
  | 'event_too_large'
  | 'rate_limited'
  | 'insufficient_scope'
  | 'request_in_progress'
  | 'unreadable_form'
  | 'foreign_form'

/** A request refused before its contents are validated. */
export class RequestError extends ServiceError<RequestErrorCode> {
  override readonly name: string = 'RequestError'
}

/** A request over its limit; the next window begins in `retryAfterSeconds`, at least 1. */
export class RateLimitedError extends RequestError {
  override readonly name = 'RateLimitedError'
  readonly retryAfterSeconds: number

  constructor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('rate_limited')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A token without the scope that the operation requires; `scope` is undefined if no scope is enough. */
export class InsufficientScopeError extends RequestError {
  override readonly name = 'InsufficientScopeError'
  readonly scope: string | undefined

  constructor(scope: string | undefined) {
    super('insufficient_scope')
    this.scope = scope
  }
}

/** One problem of a request, with exactly the `loc`, `msg` and `type` of FastAPI with pydantic v2. */
export interface Problem {
  loc: readonly (string | number)[]
  msg: string
  type: string
}

/** A request that its contract refuses, answered 422 `{"detail": problems}`. Problems never echo the request. */
export class ValidationError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.loc.join('.')}: ${problem.type}`).join(', '))
    this.name = 'ValidationError'
    this.problems = problems
  }
}
