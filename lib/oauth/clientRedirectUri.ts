import { OAuthError } from './errors.ts'
import type { ClientType } from './oauthClient.ts'

/** The loopback addresses of RFC 8252 §7.3, as a URL writes them. `localhost` is none: what it resolves to is not certain (§8.3). */
const loopback = new Set(['127.0.0.1', '[::1]'])

/**
 * Holds a redirect URI to what may be registered: https, or for a public client on its user's own machine http at a loopback
 * address; no fragment (RFC 6749 §3.1.2), no user name, and written as a URL parser would write it, so that comparing it character
 * by character cannot be led astray (RFC 9700 §4.1.3). Every other scheme, `javascript:` and `data:` among them, is refused.
 * @throws OAuthError `invalid_request`, whose message says what is wrong
 */
export function requireRegistrable(uri: string, type: ClientType): void {
  const problem = problemOf(uri, type)
  if (problem !== undefined) throw new OAuthError('invalid_request', { message: `${JSON.stringify(uri)} ${problem}` })
}

function problemOf(uri: string, type: ClientType): string | undefined {
  const url = URL.parse(uri)
  if (url === null) return 'is no absolute URI'
  if (url.protocol === 'http:' && !(type === 'public' && loopback.has(url.hostname)))
    return 'is http: only a public client may use it, and only at 127.0.0.1 or [::1]'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not https'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'names a user'
  if (url.href !== uri) return `is not written as usual: ${url.href}`
  return undefined
}
