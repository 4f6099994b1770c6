import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HttpEvent } from '../contract.ts'
import { RequestError } from '../errors.ts'
import { header } from '../request/request.ts'

/**
 * The token that a form carries beside the cookie: an HMAC keyed by the cookie's secret, so that it is valid for this browser's session
 * only, does not reveal the secret, and nothing needs to be stored.
 */
export function formToken(secret: string): string {
  return createHmac('sha256', secret).update('form of the hosted pages').digest('base64url')
}

/**
 * Refuses a form that this service did not give to this browser: posted from another origin, without the cookie, or without the
 * cookie's token (OWASP Cross-Site Request Forgery Prevention; login forms included).
 * @returns the cookie's secret
 * @throws RequestError `foreign_form`
 */
export function requireOwnForm(event: HttpEvent, secret: string | undefined, token: string): string {
  const form = readOwnForm(event, secret, token)
  if (form.kind === 'other_cookie') throw foreignToken()
  return form.secret
}

/**
 * Like `requireOwnForm`, for a form that another tab of the browser may have made outdated. `other_cookie`: it has not the cookie's token, so
 * nothing of it may take effect.
 * @throws RequestError `foreign_form`
 */
export function readOwnForm(
  event: HttpEvent,
  secret: string | undefined,
  token: string,
): { readonly kind: 'own' | 'other_cookie'; readonly secret: string } {
  if (!isSameOrigin(event)) throw new RequestError('foreign_form', { message: 'form from another origin' })
  if (secret === undefined) throw new RequestError('foreign_form', { message: 'form without the cookie' })
  const expected = Buffer.from(formToken(secret))
  const given = Buffer.from(token)
  const isOwn = given.length === expected.length && timingSafeEqual(given, expected)
  return { kind: isOwn ? 'own' : 'other_cookie', secret }
}

/** The refusal of a form whose token is of another session. */
export function foreignToken(): RequestError {
  return new RequestError('foreign_form', { message: 'form token of another session' })
}

/**
 * Whether the browser's headers name this origin as the sender. Under `Referrer-Policy: no-referrer` the `Origin` is `null` (Fetch §3.2),
 * which other sites can send too: then `Sec-Fetch-Site` has to confirm it. Every current browser sends one of the two headers.
 */
export function isSameOrigin(event: HttpEvent): boolean {
  const origin = header(event, 'origin')
  const site = header(event, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined || (origin === 'null' && site === 'same-origin')) return true
  return origin === `${header(event, 'x-forwarded-proto') ?? 'https'}://${header(event, 'host') ?? ''}`
}
