import type { HttpEvent } from '../contract.ts'

/**
 * The cookie of a browser that has signed in before; see `lib/users/password/knownBrowser.ts`. It outlives sessions, and signing out. Its prefix binds it to
 * this host, as the session's.
 */
const NAME = '__Host-known-browser'

/** The cookie's value, which is not verified; undefined where it was not sent. */
export function readKnownBrowserCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
}

/** `Set-Cookie` for what `rememberBrowser` returns. */
export function knownBrowserCookie({ value, maxAgeSeconds }: { value: string; maxAgeSeconds: number }): string {
  return `${NAME}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`
}
