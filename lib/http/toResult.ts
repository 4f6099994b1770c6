import type { Answer, HttpResult } from './contract.ts'
import { securityHeaders } from './securityHeaders.ts'

/** Writes an answer as JSON with the headers that every answer carries. */
export function toResult({ status, body, headers }: Answer): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...securityHeaders, ...headers },
    body: JSON.stringify(body),
  }
}
