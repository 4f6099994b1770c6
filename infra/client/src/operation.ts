import type { operations } from './schema.ts'

/** The name of an operation in the OpenAPI document. */
export type OperationId = keyof operations

/** What a request of an operation needs beside its types. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With its parameters in braces. */
  readonly path: string
  /** Sent with the access token. */
  readonly isProtected?: true
  /** Sent again after a 503 or a lost connection, it does its work once. */
  readonly isRepeatable?: true
  /** It is sent with an `Idempotency-Key`, the same one in every repeat. */
  readonly takesKey?: true
  /** A refusal whose body is a list is returned as a success is, not thrown. */
  readonly refusesWithList?: true
}

type Json<Message> = Message extends { content: { 'application/json': infer Value } } ? Value : undefined
type Parameters<Id extends OperationId> = operations[Id]['parameters']
type RequestBody<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>
type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>
type HeadersOf<Id extends OperationId> = Omit<NonNullable<Parameters<Id>['header']>, 'If-None-Match'>

/** What may be left out may be undefined too, also where the user's compiler keeps the two apart. */
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

/** What a call of an operation takes: its parameters, its body, and a signal that ends it, its waits included. */
export type OptionsOf<Id extends OperationId> = Path<Id> &
  Query<Id> &
  Headers<Id> &
  Body<Id> & { signal?: AbortSignal | undefined }

/** The arguments of a call: none are needed where every option may be left out. */
export type ArgumentsOf<Id extends OperationId> =
  Record<never, never> extends OptionsOf<Id> ? [options?: OptionsOf<Id>] : [options: OptionsOf<Id>]

type Successful = 200 | 201 | 202 | 204
type Responses<Id extends OperationId> = operations[Id]['responses']

/** What an operation answers where it does what was asked; undefined for an answer without a body. */
export type BodyOf<Id extends OperationId> = Json<Responses<Id>[Extract<keyof Responses<Id>, Successful>]>

/** Sends a request of an operation and resolves with the body of its answer. */
export type CallOf = <Id extends OperationId>(id: Id, ...options: ArgumentsOf<Id>) => Promise<BodyOf<Id>>

/** One method for each operation, which resolves with the body of a success and throws an `ApiError` for a refusal. */
export type Methods = { [Id in keyof operations]: (...options: ArgumentsOf<Id>) => Promise<BodyOf<Id>> }
