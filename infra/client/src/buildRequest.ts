import type { OperationRow } from './operation.ts'

/** The options that a call of any operation may have; `OptionsOf` narrows them to an operation. */
interface AnyOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface BuiltRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal | null
}

/** The request of a call, but for its token. Made once, so that a repeat has the same `Idempotency-Key`. */
export function buildRequest(
  baseUrl: string,
  { path, method, takesKey }: OperationRow,
  call: AnyOptions,
): BuiltRequest {
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
