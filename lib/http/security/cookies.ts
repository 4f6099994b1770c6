import type { HttpEvent } from '../contract.ts'

/** The prefix binds a cookie to this host: no other host of the domain can set or read it (RFC 6265bis §4.1.3.2). */
const SESSION = '__Host-session'
/** Of a browser that has signed in before; see `lib/users/password/knownBrowser.ts`. It outlives sessions, and signing out. */
const KNOWN_BROWSER = '__Host-known-browser'
/** Of a browser that was sent to an OpenID provider. */
const PROVIDER_SIGN_IN = '__Host-provider-sign-in'
/** SameSite=Lax, because the cookies must be sent when a client, or a provider, redirects the browser here. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The secret in the cookie, of a session or of a visitor who is not signed in; undefined without a well-formed cookie. */
export function readSessionCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies
    .map((cookie) => /^__Host-session=([A-Za-z0-9_-]{43})$/.exec(cookie)?.[1])
    .find((secret) => secret !== undefined)
}

/** `Set-Cookie` for a secret; without an age it expires when the browser is closed. */
export function sessionCookie(secret: string, maxAgeSeconds?: number): string {
  return `${SESSION}=${secret}; ${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`
}

/** `Set-Cookie` that deletes the cookie. */
export const endedSessionCookie = sessionCookie('', 0)

/** The cookie's value, which is not verified; undefined if it was not sent. */
export function readKnownBrowserCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies.find((cookie) => cookie.startsWith(`${KNOWN_BROWSER}=`))?.slice(KNOWN_BROWSER.length + 1)
}

/** `Set-Cookie` for what `rememberBrowser` returns. */
export function knownBrowserCookie({ value, maxAgeSeconds }: { value: string; maxAgeSeconds: number }): string {
  return `${KNOWN_BROWSER}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`
}

/** The secret of a sign-in at a provider in its cookie; undefined without a well-formed cookie. */
export function readProviderCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies
    .map((cookie) => /^__Host-provider-sign-in=([A-Za-z0-9_-]{43})$/.exec(cookie)?.[1])
    .find((secret) => secret !== undefined)
}

/** `Set-Cookie` for the secret of a sign-in at a provider. */
export function providerCookie(secret: string, maxAgeSeconds: number): string {
  return `${PROVIDER_SIGN_IN}=${secret}; ${attributes}; Max-Age=${maxAgeSeconds}`
}

/** `Set-Cookie` that deletes that cookie. */
export const endedProviderCookie = providerCookie('', 0)
