import { OAuthError } from './errors.ts'
import type { ClientType, OAuthClient } from './oauthClient.ts'

/** The loopback addresses of RFC 8252 §7.3, as a URL writes them. `localhost` is none: what it resolves to is not certain (§8.3). */
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])

/** The origin of a loopback address, without its port; only a path or a query may follow, so no user name hides in it. */
const loopbackOrigin = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/**
 * Whether `redirectUri` is registered for the client: equal, character for character (RFC 9700 §2.1). Only a public client's
 * loopback address may have any port, because a native app takes a free one each time (RFC 8252 §7.3).
 */
export function isRegistered(client: Pick<OAuthClient, 'type' | 'redirectUris'>, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false
  if (client.redirectUris.includes(redirectUri)) return true
  return (
    client.type === 'public' &&
    isLoopback(redirectUri) &&
    client.redirectUris.some(
      (registered) => isLoopback(registered) && withoutPort(registered) === withoutPort(redirectUri),
    )
  )
}

/** Whether an address leads to a program that listens on the user's own machine. */
export function isLoopback(redirectUri: string): boolean {
  return loopbackOrigin.test(redirectUri)
}

function withoutPort(redirectUri: string): string {
  return redirectUri.replace(loopbackOrigin, '$1')
}

/**
 * Refuses a redirect URI that may not be registered. Allowed are https, and for a public client http at a loopback address; without
 * a fragment (RFC 6749 §3.1.2) or a user name, and written as a URL parser writes it, so that comparing it character by character
 * is safe (RFC 9700 §4.1.3). Every other scheme, `javascript:` and `data:` among them, is refused.
 * @throws OAuthError `invalid_request`, whose message says what is wrong
 */
export function requireRegistrable(uri: string, type: ClientType): void {
  const problem = problemOf(uri, type)
  if (problem !== undefined) throw new OAuthError('invalid_request', { message: `${JSON.stringify(uri)} ${problem}` })
}

function problemOf(uri: string, type: ClientType): string | undefined {
  const url = URL.parse(uri)
  if (url === null) return 'is no absolute URI'
  if (url.protocol === 'http:' && !(type === 'public' && loopbackHosts.has(url.hostname)))
    return 'is http: only a public client may use it, and only at 127.0.0.1 or [::1]'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not https'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'names a user'
  if (url.href !== uri) return `is not written as usual: ${url.href}`
  return undefined
}
