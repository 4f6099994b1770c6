import type { Answer, HttpResult } from './contract.ts'
import { everyAnswer } from './securityHeaders.ts'

/** Writes an answer as JSON with the headers that every answer carries. */
export function toResult({ status, body, headers }: Answer): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...everyAnswer, ...headers },
    body: JSON.stringify(body),
  }
}
