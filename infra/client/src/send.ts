import { apiErrorOf } from './apiErrorOf.ts'
import { asDocumented } from './asDocumented.ts'
import type { Fetch } from './connect.ts'
import { type ApiError, isApiError } from './errors.ts'
import type { ArgumentsOf, BodyOf, OperationId, OperationRow } from './operation.ts'
import { operationTable } from './operations.ts'
import { repeat } from './repeat.ts'
import type { Session } from './session.ts'

/** A success, with values from its headers. */
export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  /** Names the version that was read, for the `If-Match` of a change that is based on it. */
  readonly etag: string | undefined
  readonly requestId: string | undefined
}

/** Sends a request of an operation, repeats it when that is safe and may help, and resolves with the whole answer. */
export type Send = <Id extends OperationId>(id: Id, ...options: ArgumentsOf<Id>) => Promise<Answer<BodyOf<Id>>>

interface SendOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly session: Session
}

type AnyAnswer = Answer<ReturnType<typeof asDocumented>>
type SendBuilt = (request: BuiltRequest) => Promise<AnyAnswer>

/** The way of every request: its token, its repeats, and its answer or error. */
export function sendWith({ baseUrl, fetch, session }: SendOptions): Send {
  return async (id, ...[options]) => {
    const row = operationTable[id]
    const request = buildRequest(baseUrl, row, { ...options })
    // With If-Match, a repeat would be refused if the first request succeeded and its answer was lost.
    const isRepeatable = row.isRepeatable === true && !request.headers.has('if-match')
    const send: SendBuilt = (built) => repeat(() => sendOnce(built), { isRepeatable, signal: request.signal })
    try {
      return await (row.isProtected ? withToken(request, send) : send(request))
    } catch (error) {
      if (!row.refusesWithList || !isApiError(error) || !Array.isArray(error.body)) throw error
      const { status, body, requestId } = error
      return { status, body: asDocumented(body), etag: undefined, requestId }
    }
  }

  async function sendOnce({ url, ...init }: BuiltRequest): Promise<AnyAnswer> {
    const response = await fetch(url, init)
    const body = asDocumented(await readJson(response))
    const { status, headers } = response
    return {
      ...{ status, body },
      etag: headers.get('etag') ?? undefined,
      requestId: headers.get('x-request-id') ?? undefined,
    }
  }

  /** Around the repeats, not within: a refresh has its own. */
  async function withToken(request: BuiltRequest, send: SendBuilt) {
    const token = await orAborted(session.accessToken(), request.signal)
    try {
      return await send(authorized(request, token))
    } catch (error) {
      if (!isApiError(error) || !isTokenRefused(error)) throw error
      return send(authorized(request, await orAborted(session.replace(token), request.signal)))
    }
  }
}

function authorized(request: BuiltRequest, token: string): BuiltRequest {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...request, headers }
}

/** Not if a valid token is not enough (RFC 9470): another token of the same sign-in would not be either. */
function isTokenRefused({ status, stepUp }: ApiError): boolean {
  return status === 401 && stepUp === undefined
}

/** Waits for work that others wait for too, until this signal ends the wait; the work goes on. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | null): Promise<Result> {
  if (signal === null) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/**
 * The JSON of a success; undefined if it has no body.
 * @throws an `ApiError` for a refusal, and for a success that is not the API's
 */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  const json = text === '' ? undefined : parse(text)
  if (!response.ok || (text !== '' && json === undefined)) throw apiErrorOf(response, json)
  return json
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The options that a call of any operation may have; `OptionsOf` narrows them to an operation. */
interface AnyOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

interface BuiltRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal | null
}

/** The request of a call, but for its token. Made once, so that a repeat has the same `Idempotency-Key`. */
function buildRequest(baseUrl: string, { path, method, takesKey }: OperationRow, call: AnyOptions): BuiltRequest {
  const headers = new Headers({ accept: 'application/json' })
  if (takesKey) headers.set('idempotency-key', crypto.randomUUID())
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of given(call.headers)) headers.set(name, value)
  const query = new URLSearchParams(given(call.query))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(call.path?.[name])))
  return {
    url: `${baseUrl}${filled}${query.size === 0 ? '' : `?${query}`}`,
    method,
    headers,
    body: call.body === undefined ? null : JSON.stringify(call.body),
    signal: call.signal ?? null,
  }
}

function given(values: Readonly<Record<string, unknown>> = {}): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
}
