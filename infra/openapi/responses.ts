import { STATUS_CODES } from 'node:http'
import * as z from 'zod/mini'
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { LINES_TYPE } from '../../lib/http/answer/answer.ts'
import { type ErrorCode, errorAnswers } from '../../lib/http/answer/errorAnswers.ts'
import { codesOf, errorBody, errorMembers, gatewayError } from '../../lib/http/answer/errorBody.ts'
import { oauthErrorBody } from '../../lib/http/answer/tokenErrors.ts'
import { described, named } from '../../lib/http/schema.ts'
import { carriesToken } from '../manifest.ts'
import { exampleReferences } from './errorExamples.ts'
import type { Example } from './examples.ts'
import { headersOf } from './headers.ts'
import type { Operation } from './operation.ts'

/** The answers that are the same at every operation. */
export const sharedResponses = {
  PayloadTooLarge: tooLarge(errorBody, false),
  OAuthPayloadTooLarge: tooLarge(oauthErrorBody, true),
  RequestHeaderFieldsTooLarge: {
    description: 'The request line and headers together are larger than 10 KiB: API Gateway’s own answer',
    content: { 'application/json': { schema: gatewayError } },
  },
  InternalServerError: {
    description: errorAnswers.internal_error.detail,
    content: { 'application/json': { schema: errorBody, examples: exampleReferences(['internal_error'], false) } },
  },
} as const

/** Every status that an operation is answered with: what its contract says, and what follows from the row and from `lib/http`. */
export function responsesOf(operation: Operation, examples: readonly Example[]): ZodOpenApiResponsesObject {
  const { contract, row } = operation
  const refused = byStatus(refusalsOf(operation))
  const statuses = new Set([...Object.keys(contract.responses).map(Number), ...refused.keys()])
  if (isValidated(operation)) statuses.add(422)
  const entries = [...statuses].map((status) => {
    const given = examples.filter(({ response }) => response.status === status)
    const codes = refused.get(status) ?? []
    return [
      status,
      isShared(operation, status) ? refer('InternalServerError') : responseOf(operation, status, codes, given),
    ] as const
  })
  return {
    ...Object.fromEntries(entries),
    ...(contract.body && { 413: refer(row.caller === 'client' ? 'OAuthPayloadTooLarge' : 'PayloadTooLarge') }),
    431: refer('RequestHeaderFieldsTooLarge'),
  }
}

/** Whether a failure of the service is answered as at most operations. */
function isShared({ row, contract }: Operation, status: number): boolean {
  return status === 500 && row.caller !== 'client' && contract.responses[status] === undefined
}

function refer(name: keyof typeof sharedResponses) {
  return { $ref: `#/components/responses/${name}` } as const
}

function tooLarge(body: z.ZodMiniType, isForClients: boolean) {
  const examples = exampleReferences(['payload_too_large'], isForClients)
  return {
    description: `${errorAnswers.payload_too_large.detail}. Over 10 MB: API Gateway’s own answer`,
    content: { 'application/json': { schema: z.union([body, gatewayError]), examples } },
  }
}

function responseOf(
  operation: Operation,
  status: number,
  refusals: readonly ErrorCode[],
  examples: readonly Example[],
): ZodOpenApiResponseObject {
  const own = operation.contract.responses[status]
  const codes = [...new Set([...(codesOf(own) ?? []), ...refusals])]
  const schema = schemaOf(operation, status, codes)
  const headers = headersOf(operation, status, codes)
  return {
    description: descriptionOf(operation, status, codes),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(schema && {
      content: {
        'application/json': { schema, ...answered(operation, codes, examples) },
        ...linesOf(operation, status),
      },
    }),
  }
}

/** The same as lines: the schema is that of a line (OpenAPI 3.1 has no word for it). */
function linesOf({ contract: { lines } }: Operation, status: number) {
  return lines && status === 200 ? { [LINES_TYPE]: { schema: lines } } : {}
}

/** The contract's schema for a status, unless it is an error; every error has the same component. At some statuses checkout answers either. */
function schemaOf(
  { row, contract }: Operation,
  status: number,
  codes: readonly ErrorCode[],
): z.ZodMiniType | undefined {
  const own = contract.responses[status]
  if (status === 422) return httpValidationError
  if (own instanceof z.ZodMiniUndefined) return undefined
  const error = row.caller === 'client' ? oauthErrorBody : errorBody
  if (own === undefined) return error
  if (codesOf(own)) return errorWithMembers(own) ?? error
  return codes.length === 0 ? own : z.union([own, error])
}

const errorsWithMembers = new Map<z.ZodMiniType, z.ZodMiniType>()

/** The component of an error that has members of its own, such as the ids of what is in the way; undefined for any other. */
function errorWithMembers(own: z.ZodMiniType): z.ZodMiniType | undefined {
  const id = z.globalRegistry.get(own)?.id
  if (id === undefined || !(own instanceof z.ZodMiniObject)) return undefined
  const known = errorsWithMembers.get(own)
  if (known) return known
  const component = named(id, z.extend(own, { code: errorMembers.code }))
  errorsWithMembers.set(own, component)
  return component
}

/** Each code by its name, and each sample that was answered so by its own. */
function answered(
  { row }: Operation,
  codes: readonly ErrorCode[],
  recorded: readonly Example[],
): Pick<ZodOpenApiMediaTypeObject, 'examples'> {
  const sent = recorded.flatMap(({ name, response }) =>
    'body' in response ? [[name, { value: response.body }] as const] : [],
  )
  const examples = { ...exampleReferences(codes, row.caller === 'client'), ...Object.fromEntries(sent) }
  return Object.keys(examples).length === 0 ? {} : { examples }
}

function descriptionOf(operation: Operation, status: number, codes: readonly ErrorCode[]): string {
  const name = STATUS_CODES[status] ?? String(status)
  if (status === 422) return 'The request is not valid; the answer lists every problem'
  if (codes.includes('rate_limited')) return [name, limitInWords(operation)].join('. ')
  const own = operation.contract.responses[status]
  const sentences = new Set(codes.map((code) => errorAnswers[code].detail))
  return [...(own === undefined || codesOf(own) ? [] : [name]), ...sentences].join('. Or: ') || name
}

const problem = named(
  'ValidationError',
  z.object({
    loc: described(
      'The location: path, query, header or body, then member names and list positions.',
      z.array(z.union([z.string(), z.int()])),
    ),
    msg: described('For people: what is wrong', z.string()),
    type: described('For programs: the kind of problem, as pydantic names it', z.string()),
  }),
)

/** The body of every 422, as FastAPI names and draws it. */
const httpValidationError = named(
  'HTTPValidationError',
  z.object({ detail: described('Every problem of the request', z.array(problem)) }),
)

/**
 * The codes with which an operation is refused beside what its contract says: those that follow from who calls it, from what it reads and
 * from what it depends on.
 */
function refusalsOf({ row, contract }: Operation): ErrorCode[] {
  const { caller, rateLimit, tables, kms } = row
  const actsOnOrganization = carriesToken(row) && caller !== 'user'
  // A contract with a 502 of its own says itself what the gateway's refusals look like.
  const answersForGateway = row.secrets.includes('stripeSecretKey') && contract.responses[502] === undefined
  const dependsOnStores = Object.keys(tables).length > 0 || Object.keys(kms).length > 0
  return [
    ...codes(carriesToken(row), 'unauthorized', 'invalid_token', 'insufficient_scope'),
    ...codes(contract.recentSignIn !== undefined || actsOnOrganization, 'insufficient_user_authentication'),
    ...codes(contract.refusesNewFactor === true, 'factor_too_new'),
    ...codes(actsOnOrganization, 'organization_not_found'),
    ...codes(actsOnOrganization && caller !== 'member', 'forbidden'),
    ...codes(actsOnOrganization, 'second_factor_required'),
    ...codes(actsOnOrganization && contract.scope !== undefined, 'client_not_allowed'),
    ...codes(contract.body !== undefined, 'payload_too_large'),
    ...codes(contract.headers !== undefined && 'If-Match' in contract.headers.shape, 'precondition_failed'),
    ...codes(rateLimit !== undefined, 'rate_limited'),
    ...codes(isThrottled({ row, contract }), 'too_many_attempts'),
    ...codes(answersForGateway, 'gateway_refused', 'gateway_unavailable'),
    ...codes(dependsOnStores, 'service_unavailable'),
    'internal_error',
  ]
}

/** What takes a password, or sends a mail to an address that its caller names, is throttled beside its limit. */
function isThrottled({ row, contract: { body } }: Operation): boolean {
  const names = body instanceof z.ZodMiniObject ? Object.keys(body.shape) : []
  return names.includes('current_password') || (row.mail === true && names.includes('email'))
}

/** Whether an operation can be answered 422. */
function isValidated({ contract }: Operation): boolean {
  return [contract.path, contract.query, contract.body].some((part) => part !== undefined)
}

/** Codes by the status that they are answered with. */
function byStatus(refusals: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(refusals, (code) => errorAnswers[code].status)
}

function codes(applies: boolean, ...all: ErrorCode[]): ErrorCode[] {
  return applies ? all : []
}

/** A limit in words; undefined if a function has none. */
function limitInWords({ row }: Operation): string | undefined {
  const { rateLimit } = row
  if (rateLimit === undefined) return undefined
  const client = row.caller === 'client' ? 'each client at one source IP' : 'each source IP'
  const principal = carriesToken(row) ? 'each user' : client
  return `At most ${rateLimit.requestsPerMinute} requests in 60 s for ${principal}.`
}
