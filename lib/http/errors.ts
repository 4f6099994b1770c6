import { ServiceError } from '../core/errors.ts'

/** Codes of `RequestError`. */
export type RequestErrorCode =
  | 'payload_too_large'
  | 'event_too_large'
  | 'rate_limited'
  | 'unreadable_form'
  | 'foreign_form'

/** A request refused before its contents were looked at. */
export class RequestError extends ServiceError<RequestErrorCode> {
  override readonly name: string = 'RequestError'
}

/** One request too many in its window; `retryAfterSeconds` from now, at least 1, the next window begins. */
export class RateLimitedError extends RequestError {
  override readonly name = 'RateLimitedError'
  readonly retryAfterSeconds: number

  constructor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('rate_limited')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** One problem of a request, with the `loc`, `msg` and `type` that FastAPI with pydantic v2 answers, and no other key. */
export interface Problem {
  loc: readonly (string | number)[]
  msg: string
  type: string
}

/** A request that its contract refuses. Answered 422 `{"detail": problems}`; the problems never echo what was sent. */
export class ValidationError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.loc.join('.')}: ${problem.type}`).join(', '))
    this.name = 'ValidationError'
    this.problems = problems
  }
}
