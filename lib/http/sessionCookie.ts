import type { HttpEvent } from './contract.ts'

/**
 * The one cookie of the service. Its prefix binds it to this host: no other host of the domain can set or read it (RFC 6265bis
 * §4.1.3.2). SameSite=Lax, for it must come along when a client sends the browser here.
 */
const NAME = '__Host-session'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The secret in the cookie, which may stand for a session or for a visitor not signed in; undefined where there is none of ours. */
export function readSessionCookie({ cookies = [] }: Pick<HttpEvent, 'cookies'>): string | undefined {
  return cookies
    .map((cookie) => /^__Host-session=([A-Za-z0-9_-]{43})$/.exec(cookie)?.[1])
    .find((secret) => secret !== undefined)
}

/** `Set-Cookie` for a secret; until the browser is closed where no age is given. */
export function sessionCookie(secret: string, maxAgeSeconds?: number): string {
  return `${NAME}=${secret}; ${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`
}

/** `Set-Cookie` that takes the cookie away. */
export const endedSessionCookie = sessionCookie('', 0)
