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
