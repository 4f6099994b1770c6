import * as z from 'zod/mini'
import type { Contract, HttpEvent, Output } from '../contract.ts'
import { type Problem, ValidationError } from '../errors.ts'
import { pydanticProblems } from './pydanticProblems.ts'
import { header } from './request.ts'

/** A contract whose body, if any, is a JSON object. */
export interface JsonContract extends Contract {
  body?: z.ZodMiniObject
}

/** The contract with a body that refuses members it does not list (`extra_forbidden`): a misspelt option must not be ignored. */
export function withStrictBody<C extends JsonContract>(contract: C): C
export function withStrictBody(contract: JsonContract): JsonContract {
  return contract.body === undefined ? contract : { ...contract, body: z.strictObject(contract.body.shape) }
}

/** The validated parts of a request. */
export interface Validated<C extends Contract> {
  path: Output<C['path']>
  query: Output<C['query']>
  headers: Output<C['headers']>
  body: Output<C['body']>
}

/**
 * Validates the path parameters, the query, the header fields that the contract lists, and the body of a request.
 * @throws ValidationError with the problems of all four: path, query, header, body, each in field order
 */
export function validated<C extends Contract>(contract: C, event: HttpEvent): Validated<C>
export function validated(
  { path, query, headers, body, bodyIsOptional }: Contract,
  event: HttpEvent,
): Validated<Contract> {
  const problems: Problem[] = []
  const check = <Schema extends z.ZodMiniType>(
    where: 'path' | 'query' | 'header' | 'body',
    schema: Schema | undefined,
    input: unknown,
  ): z.output<Schema> | undefined => {
    const result = schema?.safeParse(input, { reportInput: true })
    if (result?.error) problems.push(...pydanticProblems(where, result.error.issues))
    return result?.data
  }
  const checked = {
    path: check('path', path, event.pathParameters ?? {}),
    query: check('query', query, parameters(event.rawQueryString)),
    headers: check('header', headers, headers && headerFields(headers, event)),
    body: check('body', body, event.payload ?? (bodyIsOptional && {})),
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return checked
}

function headerFields({ shape }: z.ZodMiniObject, event: HttpEvent): Record<string, string | undefined> {
  const names = Object.keys(shape)
  return Object.fromEntries(names.map((name) => [name, header(event, name.toLowerCase())]))
}

/**
 * Query parameters by name. `queryStringParameters` is not used: API Gateway decodes it and joins repeats with a comma.
 * Repeats are joined here as well: no id contains a comma, so a repeated id is ill-formed.
 */
export function parameters(rawQueryString: string | undefined): Record<string, string> {
  if (!rawQueryString) return {}
  const byName = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = byName.get(name)
    byName.set(name, before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(byName)
}
