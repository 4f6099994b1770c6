import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as z from 'zod/mini'
import { described, named } from '../schema.ts'
import { type ErrorCode, errorAnswers, isErrorCode } from './errorAnswers.ts'

/** The members of the body of every error. */
export const errorMembers = {
  detail: described('For people: a constant sentence', z.string()),
  code: described('For programs: never changes', z.string()),
  request_id: described('For support: also in the header `x-request-id`', z.string()),
}

/**
 * The body of every error but 422, the lines of a checkout and pages. Programs read `code`, which never changes; people read `detail`, a
 * constant sentence; support reads `request_id`, which every answer also carries as the header `x-request-id`.
 */
export const errorBody = named('Error', z.object(errorMembers))

/** The answers of API Gateway itself, before or instead of a function: 413 over 10 MB, 429 for the stage, 431, 500, 503, 504. */
export const gatewayError = named(
  'GatewayError',
  z.object({ message: described('What API Gateway says of it', z.string()) }),
)

/** An `errorBody` with one of these codes: a contract's schema for a status that refuses a request. */
export function errorOf<const Codes extends readonly [ErrorCode, ...ErrorCode[]]>(...codes: Codes) {
  return z.extend(errorBody, { code: z.literal(codes) })
}

/** The codes of an `errorOf`, or of an error object of OAuth (`tokenErrors.ts`); undefined for any other schema. */
export function codesOf(schema: z.ZodMiniType | undefined): readonly ErrorCode[] | undefined {
  if (!(schema instanceof z.ZodMiniObject) || !('request_id' in schema.shape)) return undefined
  const { code } = schema.shape
  return code instanceof z.ZodMiniLiteral ? code.def.values.map(String).filter(isErrorCode) : undefined
}

type Answers = typeof errorAnswers

/** The answer to the request of `event` that the table has for `code`: for handlers that answer an error themselves and do not throw it. */
export function refusal<Code extends ErrorCode>(
  code: Code,
  { requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>,
): { status: Answers[Code]['status']; body: { detail: string; code: Code; request_id: string } } {
  const { status, detail } = errorAnswers[code]
  return { status, body: { detail, code, request_id: requestContext.requestId } }
}
