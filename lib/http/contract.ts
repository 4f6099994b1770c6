import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type * as z from 'zod/mini'
import type { Clock } from '../core/clock.ts'
import type { AccessTokenVerifier, AnyIdentity } from '../core/identity.ts'
import type { FunctionRateLimit, RateLimit, RateLimits } from '../core/rateLimits.ts'
import type { Scope } from '../core/scopes.ts'
import type { Logger } from '../log/logger.ts'
import type { ReleaseReader } from './security/releaseReader.ts'

/** Headers that an answer has beside those that every answer of its status or caller has; `infra/openapi/headers.ts` describes them. */
export type AnswerHeader =
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Content-Encoding'
  | 'ETag'
  | 'Location'
  | 'Retry-After'
  | 'Set-Cookie'
  | 'Vary'

/** The `answerHeaders` of a document that may be cached. */
export const documentHeaders = {
  200: ['Cache-Control', 'ETag', 'Vary', 'Content-Encoding'],
  304: ['Cache-Control', 'ETag', 'Vary'],
} as const satisfies Contract['answerHeaders']

/**
 * Every request, or only requests whose body has the member `where`; if `is` is given, only with that value. With `ofUsers`, API clients, which
 * have no sign-in, are not asked.
 */
export type RecentSignIn = true | { readonly where: string; readonly is?: string; readonly ofUsers?: true }

/** RFC 3339 times: when the removal of an operation was announced, and when it takes place. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string
}

/**
 * What an endpoint takes and answers: data only. `path`, `query` and `body` are synchronous schemas of objects; a part without a schema is not
 * read. Only OAuth endpoints and pages ignore members of a body that it does not list (`withStrictBody`). `responses` lists the answers of the handler; those to errors follow from `errorAnswers.ts`.
 */
export interface Contract {
  /**
   * All of the scope that an access token needs if its client is not the operator's own (RFC 6750 §3 `scope`).
   * Left out: only the operator's own clients may call the operation. Read by protected endpoints alone.
   */
  scope?: Scope | `${Scope} ${Scope}`
  /** Service clients with this scope may call it too. Every GET whose scope they can be granted has it, and nothing else. */
  forServiceClients?: true
  path?: z.ZodMiniType
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  /** A request without a body is read as `{}`. */
  bodyIsOptional?: true
  /** Header fields by the name in which people write them; found in any case. */
  headers?: z.ZodMiniObject
  responses: Readonly<Record<number, z.ZodMiniType>>
  /** If the caller accepts `application/x-ndjson`, the answer 200 is this on each line instead, without pages. */
  lines?: z.ZodMiniType
  /** Which requests require a recent sign-in (RFC 9470); none if omitted. */
  recentSignIn?: RecentSignIn
  /** Refuses that sign-in as `factor_too_new` if its second factor was added in the last 24 hours, with no older factor beside it. */
  refusesNewFactor?: true
  /** If it is going to be removed: every answer says so, and the document. `functions/CHANGELOG.md` names its replacement. */
  deprecated?: Deprecation
  /** What the answers of a status carry beside the headers that follow from it, for the document. */
  answerHeaders?: Readonly<Record<number, readonly AnswerHeader[]>>
}

/** What a schema parses to; `undefined` if a contract has none. */
export type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined

/** A function's limit, and the store that counts its requests. */
export interface RateLimiting {
  limit: FunctionRateLimit
  rateLimits: RateLimits
}

/** Whether pages of an origin may call the API. Never rejects. */
export type AllowsOrigin = (origin: string) => Promise<boolean>

/** The side effects that every endpoint needs. */
export interface HttpDeps {
  accessTokens: AccessTokenVerifier
  /** Whether pages of an origin may read the answers. */
  allowsOrigin: AllowsOrigin
  clock: Clock
  logger: Logger
  /** If omitted, requests are not limited. */
  rateLimit?: RateLimiting | undefined
  /** The secret by which CloudFront proves itself, so that it may name its viewer; undefined if there is no CloudFront. */
  edgeKey?: string | undefined
  /** Who reads when a version is checked before traffic; no one if omitted. Only for endpoints that change nothing. */
  releaseReader?: ReleaseReader | undefined
  /** Whether requests that did not come through it are refused. */
  edgeOnly?: boolean
  /** True if a GET calls the payment gateway, whose limit all organizations share: it is counted before the handler runs, not beside it. */
  isCountedFirst?: boolean
}

/** What is left of the window of a limit. */
export interface Budget extends RateLimit {
  /** How many more requests it admits. */
  readonly remaining: number
  /** Until the next window begins, at least 1. */
  readonly resetSeconds: number
}

/** API Gateway's event (payload format 2.0) and what the middlewares have read of it so far. */
export interface HttpEvent extends APIGatewayProxyEventV2 {
  identity?: AnyIdentity
  /** Rejects if the request is over its limit; `undefined` if it is not counted. */
  admission?: Promise<void>
  /** What is left after this request was counted; `undefined` if it was not, or could not be. */
  budget?: Budget
  /** The body as parsed and not yet validated; `undefined` if there is none. */
  payload?: unknown
}

/** What a Lambda handler returns to API Gateway: status, headers and the body as text. */
export type HttpResult = APIGatewayProxyStructuredResultV2

/** Reads something of a request into its event. */
export type Reader = MiddlewareObj<HttpEvent, HttpResult>

/** A Lambda handler behind API Gateway v2 or a Lambda URL. It always answers: no failure is thrown to the runtime. */
export type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>
