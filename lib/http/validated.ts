import type * as z from 'zod'
import type { Contract, HttpEvent, Output } from './contract.ts'
import { type Problem, ValidationError } from './errors.ts'
import { pydanticProblems } from './pydanticProblems.ts'

/** The validated parts of a request. */
export interface Validated<C extends Contract> {
  path: Output<C['path']>
  query: Output<C['query']>
  body: Output<C['body']>
}

/**
 * Validates the path parameters, the query and the body of a request.
 * @throws ValidationError with the problems of all three: path, query, body, each in field order
 */
export function validated<C extends Contract>(contract: C, event: HttpEvent): Validated<C>
export function validated({ path, query, body }: Contract, event: HttpEvent): Validated<Contract> {
  const problems: Problem[] = []
  const check = (where: 'path' | 'query' | 'body', schema: z.ZodType | undefined, input: unknown): unknown => {
    const result = schema?.safeParse(input, { reportInput: true })
    problems.push(...pydanticProblems(where, result?.error?.issues ?? []))
    return result?.data
  }
  const checked = {
    path: check('path', path, event.pathParameters ?? {}),
    query: check('query', query, parameters(event.rawQueryString)),
    body: check('body', body, event.payload),
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return checked
}

/**
 * Query parameters by name. `queryStringParameters` is not used: API Gateway decodes it and joins repeats with a comma.
 * Repeats are joined here as well: no id contains a comma, so a repeated id is ill-formed.
 */
export function parameters(rawQueryString: string | undefined): Record<string, string> {
  const byName = Map.groupBy(new URLSearchParams(rawQueryString ?? ''), ([name]) => name)
  return Object.fromEntries([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value).join(',')]))
}
