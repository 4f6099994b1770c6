import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { type ErrorCode, errorAnswers } from '../../lib/http/errorAnswers.ts'
import { codesOf, errorBody } from '../../lib/http/errorBody.ts'
import { oauthErrorBody } from '../../lib/http/tokenErrors.ts'
import type { Example } from './examples.ts'
import { answersPages, type Operation } from './operation.ts'
import { byStatus, isValidated, limitInWords, refusalsOf } from './refusals.ts'
import { httpValidationError } from './schemas.ts'

/** Every status that an operation is answered with: what its contract says, and what follows from the row and from `lib/http`. */
export function responsesOf(operation: Operation, examples: readonly Example[]): ZodOpenApiResponsesObject {
  const { contract } = operation
  const refused = byStatus(refusalsOf(operation))
  const statuses = new Set([...Object.keys(contract.responses).map(Number), ...refused.keys(), 500])
  if (isValidated(operation)) statuses.add(422)
  const entries = [...statuses]
    .sort((one, other) => one - other)
    .map((status) => {
      const given = examples.filter(({ response }) => response.status === status)
      return [status, responseOf(operation, status, refused.get(status) ?? [], given)] as const
    })
  return Object.fromEntries(entries)
}

function responseOf(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
  examples: readonly Example[],
): ZodOpenApiResponseObject {
  const own = operation.contract.responses[status]
  const shared = sharedSchema(operation, status, codes)
  const ownCodes = codesOf(own)
  const headers = headersOf(operation, status, codes)
  const response = { description: descriptionOf(operation, status, own, codes), ...(headers && { headers }) }
  if (answersPages(operation.contract)) {
    return status === 303 ? response : { ...response, content: { 'text/html': { schema: { type: 'string' } } } }
  }
  const stated = ownCodes ? errorBodyOf(operation) : own
  const schema = stated && shared && stated !== shared ? z.union([stated, shared]) : (stated ?? shared)
  if (schema === undefined || schema instanceof z.ZodUndefined) return response
  return { ...response, content: { 'application/json': { schema, ...answered(examples) } } }
}

function answered(examples: readonly Example[]): Pick<ZodOpenApiMediaTypeObject, 'examples'> {
  const given = examples.flatMap(({ name, response }) => ('body' in response ? [[name, { value: response.body }]] : []))
  return given.length === 0 ? {} : { examples: Object.fromEntries(given) }
}

function sharedSchema(operation: Operation, status: number, codes: readonly ErrorCode[]): z.ZodType | undefined {
  if (status === 422) return httpValidationError
  return status === 500 || codes.length > 0 ? errorBodyOf(operation) : undefined
}

function errorBodyOf({ row }: Operation): z.ZodType {
  return row.caller === 'client' ? oauthErrorBody : errorBody
}

function descriptionOf(
  operation: Operation,
  status: number,
  own: z.ZodType | undefined,
  codes: readonly ErrorCode[],
): string {
  const name = STATUS_CODES[status] ?? String(status)
  if (status === 422) return 'The request is not what the contract asks for: every problem of it'
  if (codes.includes('rate_limited')) return [name, limitInWords(operation)].join('. ')
  const known = codesOf(own)
  const sentences = new Set([...(known ?? []), ...codes].map((code) => errorAnswers[code].detail))
  if (sentences.size === 0) return name
  return [...(own && known === undefined ? [name] : []), ...sentences].join('. Or: ')
}

type Headers = NonNullable<ZodOpenApiResponseObject['headers']>

function headersOf({ row, contract }: Operation, status: number, codes: readonly ErrorCode[]): Headers | undefined {
  const retryAfter = { $ref: '#/components/headers/RetryAfter' }
  if (status === 429 || status === 503) return { 'Retry-After': retryAfter }
  if (status === 303) return { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } }
  if (status !== 401) return undefined
  if (codes.length > 0) return { 'WWW-Authenticate': { $ref: '#/components/headers/BearerChallenge' } }
  return row.caller === 'client' && contract.body
    ? { 'WWW-Authenticate': { $ref: '#/components/headers/BasicChallenge' } }
    : undefined
}
