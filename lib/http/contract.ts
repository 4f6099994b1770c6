import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type * as z from 'zod'
import type { Clock } from '../core/clock.ts'
import type { AccessTokenVerifier, Identity } from '../core/identity.ts'
import type { Logger } from '../core/logger.ts'

/** What an endpoint takes and answers: data only. `query` and `body` are synchronous schemas of objects; left out, that part is not read. */
export interface Contract {
  query?: z.ZodType
  body?: z.ZodType
  responses: Readonly<Record<number, z.ZodType>>
}

/** What a schema yields; `undefined` where a contract has none. */
export type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The side effects that every endpoint needs. */
export interface HttpDeps {
  accessTokens: AccessTokenVerifier
  clock: Clock
  logger: Logger
}

/** An answer before it is written as JSON; `headers` come on top of the ones that every answer carries. */
export interface Answer {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** API Gateway's event (payload format 2.0) and what the middlewares have found out about it so far. */
export interface HttpEvent extends APIGatewayProxyEventV2 {
  identity?: Identity
  /** The body as parsed and not yet validated; `undefined` where there is none. */
  payload?: unknown
}

/** What a Lambda handler gives back to API Gateway: status, headers and the body as text. */
export type HttpResult = APIGatewayProxyStructuredResultV2

/** A Lambda handler behind API Gateway v2 or a Lambda URL. It always answers: no failure is thrown to the runtime. */
export type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>
