import { OAuthError } from '../errors.ts'
import type { ClientType } from '../oauthClient.ts'

/**
 * Which redirect URIs a stage accepts. `exact`: the registered URIs, character for character (RFC 9700 §2.1). `development`: also any other port
 * of a registered loopback address; and clients may register URIs that only lead to a developer's own machine.
 */
export type RedirectPolicy = 'exact' | 'development'

/** The loopback addresses of RFC 8252 §7.3, as a URL writes them. Without `localhost`, which may resolve to another address (§8.3). */
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])

/** The origin of a loopback address, without its port; only a path or a query may follow, so no user name hides in it. */
const loopbackOrigin = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/** A private-use scheme: a domain name in reverse (RFC 8252 §7.1), which no scheme of a browser is; no authority follows it. */
const privateUse = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/(?!\/)/

/**
 * Whether `uri` is registered, by the stage's policy. With `development` the port may differ, because a native app or a developer's server takes
 * a free port each time (RFC 8252 §7.3). Compares redirect URIs, post-logout URIs and origins alike.
 */
export function isRegistered(registered: readonly string[], uri: string, policy: RedirectPolicy): boolean {
  if (!URL.canParse(uri)) return false
  if (registered.includes(uri)) return true
  return (
    policy === 'development' &&
    loopbackOrigin.test(uri) &&
    registered.some((one) => loopbackOrigin.test(one) && withoutPort(one) === withoutPort(uri))
  )
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackOrigin, '$1')
}

/** Whether a redirect URI leads to a program on the user's own machine. If so, any other program there may take its place (RFC 8252 §8.6). */
export function leadsToProgram(redirectUri: string): boolean {
  if (loopbackOrigin.test(redirectUri)) return true
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'http:' ? hostname === 'localhost' : protocol !== 'https:'
}

/**
 * The destination of a redirect URI, for the consent page and the form's policy: its origin, or the scheme if it leads to an app, such as
 * `com.example.app:`. A URL either way.
 */
export function destinationOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri)
  return origin === 'null' ? protocol : origin
}

/**
 * Refuses a redirect URI that may not be registered. Every client may register https. If the client is public, also http at a loopback address
 * and private-use schemes (RFC 8252 §7.1). If the policy is `development`, every client may register http at a loopback address or `localhost`.
 * The URI must have no fragment (RFC 6749 §3.1.2) and no user name, and be written as a URL parser writes it, so that comparing it character by
 * character is safe (RFC 9700 §4.1.3). Every other scheme, such as `javascript:` and `data:`, is refused.
 * @throws OAuthError `invalid_request`, whose message says what is wrong
 */
export function requireRegistrable(uri: string, { type }: { type: ClientType }, policy: RedirectPolicy): void {
  const problem = problemOf(uri, type, policy)
  if (problem !== undefined) throw new OAuthError('invalid_request', { message: `${JSON.stringify(uri)} ${problem}` })
}

function problemOf(uri: string, type: ClientType, policy: RedirectPolicy): string | undefined {
  const url = URL.parse(uri)
  if (url === null) return 'is no absolute URI'
  const problem = problemOfScheme(url, type, policy)
  if (problem !== undefined) return problem
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'names a user'
  if (url.href !== uri) return `is not written as usual: ${url.href}`
  return undefined
}

function problemOfScheme({ protocol, hostname, href }: URL, type: ClientType, policy: RedirectPolicy) {
  if (protocol === 'https:') return undefined
  if (protocol === 'http:') {
    if (policy === 'development')
      return loopbackHosts.has(hostname) || hostname === 'localhost'
        ? undefined
        : 'is http: only 127.0.0.1, [::1] and localhost may use it'
    return type === 'public' && loopbackHosts.has(hostname)
      ? undefined
      : 'is http: only a public client may use it, and only at 127.0.0.1 or [::1]'
  }
  if (!privateUse.test(href)) return 'is neither https nor a private-use scheme such as com.example.app:/callback'
  return type === 'public' ? undefined : 'is not https: only a public client may use a private-use scheme'
}
