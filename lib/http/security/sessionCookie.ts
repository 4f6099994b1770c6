import type { HttpEvent } from '../contract.ts'

/**
 * The service's only cookie. Its prefix binds it to this host: no other host of the domain can set or read it (RFC 6265bis
 * §4.1.3.2). SameSite=Lax, because it must be sent when a client redirects the browser here.
 */
const NAME = '__Host-session'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The secret in the cookie, of a session or of a visitor who is not signed in; undefined without a well-formed cookie. */
export function readSessionCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies
    .map((cookie) => /^__Host-session=([A-Za-z0-9_-]{43})$/.exec(cookie)?.[1])
    .find((secret) => secret !== undefined)
}

/** `Set-Cookie` for a secret; without an age it expires when the browser is closed. */
export function sessionCookie(secret: string, maxAgeSeconds?: number): string {
  return `${NAME}=${secret}; ${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`
}

/** `Set-Cookie` that deletes the cookie. */
export const endedSessionCookie = sessionCookie('', 0)
