import type { Answer, HttpResult } from './contract.ts'

/** Writes an answer as JSON with the headers that every answer carries: nothing this service says may be cached. */
export function toResult({ status, body, headers }: Answer): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}
