import type { HttpResult } from './contract.ts'
import { securityHeaders } from './securityHeaders.ts'

/**
 * Sends the browser on with a GET: 303, never 307, which would send a password along (RFC 9700 §4.12). Where it came from is told
 * to nobody (§4.2.4).
 * @param location an address that is trusted, or `?query` for the same path
 */
export function seeOther(location: string, cookies: readonly string[] = []): HttpResult {
  return {
    statusCode: 303,
    headers: { location, ...securityHeaders, 'referrer-policy': 'no-referrer' },
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    body: '',
  }
}
