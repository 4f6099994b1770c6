import type { operations } from './schema.ts'

/** The name of an operation in the OpenAPI document. */
export type OperationId = keyof operations

/** The requirements of an operation that its types do not show. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its parameters in braces. */
  readonly path: string
  /** Sent with the access token. */
  readonly isProtected?: true
  /** Sent again after a 503 or a lost connection, it does its work once. */
  readonly isRepeatable?: true
  /** It is sent with an `Idempotency-Key`, which stays the same when the request is repeated. */
  readonly takesKey?: true
  /** A refusal whose body is a list is returned as a success is, not thrown. */
  readonly refusesWithList?: true
}

type Json<Message> = Message extends { content: { 'application/json': infer Value } } ? Value : undefined
type Parameters<Id extends OperationId> = operations[Id]['parameters']
type RequestBody<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>
type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>
type HeadersOf<Id extends OperationId> = Omit<NonNullable<Parameters<Id>['header']>, 'If-None-Match'>

/** If an option is optional, it may also be undefined, even under `exactOptionalPropertyTypes`. */
type Lenient<Values> = {
  [Name in keyof Values]: Record<never, never> extends Pick<Values, Name> ? Values[Name] | undefined : Values[Name]
}

// `unknown` adds nothing to an intersection.
type Path<Id extends OperationId> = Parameters<Id> extends { path: infer Values } ? { path: Values } : unknown
type Query<Id extends OperationId> = [QueryOf<Id>] extends [never]
  ? unknown
  : Parameters<Id> extends { query: unknown }
    ? { query: Lenient<QueryOf<Id>> }
    : { query?: Lenient<QueryOf<Id>> }
type Headers<Id extends OperationId> = [keyof HeadersOf<Id>] extends [never]
  ? unknown
  : { headers?: Lenient<HeadersOf<Id>> }
type Body<Id extends OperationId> = [RequestBody<Id>] extends [never]
  ? unknown
  : operations[Id] extends { requestBody: unknown }
    ? { body: Json<RequestBody<Id>> }
    : { body?: Json<RequestBody<Id>> }

/** The options of a call: its parameters, its body, and a signal that ends the call and its waits. */
export type OptionsOf<Id extends OperationId> = Path<Id> &
  Query<Id> &
  Headers<Id> &
  Body<Id> & { signal?: AbortSignal | undefined }

/** The arguments of a call. You can omit them if every option is optional. */
export type ArgumentsOf<Id extends OperationId> =
  Record<never, never> extends OptionsOf<Id> ? [options?: OptionsOf<Id>] : [options: OptionsOf<Id>]

type Successful = 200 | 201 | 202 | 204
type Responses<Id extends OperationId> = operations[Id]['responses']

/** The body of a success; undefined if there is none. */
export type BodyOf<Id extends OperationId> = Json<Responses<Id>[Extract<keyof Responses<Id>, Successful>]>

/** Sends a request of an operation and resolves with the body of its answer. */
export type CallOf = <Id extends OperationId>(id: Id, ...options: ArgumentsOf<Id>) => Promise<BodyOf<Id>>

/** A method for each operation, which resolves with the body of a success and throws an `ApiError` for a refusal. */
export type Methods = { [Id in keyof operations]: (...options: ArgumentsOf<Id>) => Promise<BodyOf<Id>> }
