import type { HttpResult } from '../contract.ts'

/** An answer before it is written; `headers` are added to those of every answer. */
export interface Answer {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>> | undefined
  /** Answered instead of `body`, each as JSON on a line of its own, if the caller accepts `application/x-ndjson` and the contract has lines. */
  lines?: readonly unknown[] | undefined
}

/**
 * The headers of every answer: not cached, not sniffed, and never asked for over plain HTTP. `max-age` is two years, which browsers
 * require for their preload lists.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000',
} as const

/** JSON objects, one on each line: https://github.com/ndjson/ndjson-spec */
export const LINES_TYPE = 'application/x-ndjson'

/** Writes an answer as JSON with `securityHeaders`. */
export function toResult({ status, body, headers, lines }: Answer): HttpResult {
  if (lines) {
    const type = { 'content-type': LINES_TYPE }
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return { statusCode: status, headers: { ...type, ...securityHeaders, ...headers }, body: text }
  }
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...securityHeaders, ...headers },
    body: JSON.stringify(body),
  }
}

/**
 * Redirects the browser with a GET: 303, never 307, which would repeat a posted password (RFC 9700 §4.12). Sends no referrer (§4.2.4).
 * @param location a URI that is trusted, or `?query` for the same path
 */
export function seeOther(location: string, cookies: readonly string[] = []): HttpResult {
  return {
    statusCode: 303,
    headers: { location, ...securityHeaders, 'referrer-policy': 'no-referrer' },
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    body: '',
  }
}
