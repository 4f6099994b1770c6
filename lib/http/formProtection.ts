import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HttpEvent } from './contract.ts'
import { RequestError } from './errors.ts'
import { header } from './request.ts'

/**
 * The token that a form carries beside the cookie: made of the cookie's secret, so that it is good for this browser's session alone
 * and nothing needs to be stored. Nobody can tell the secret by it.
 */
export function formToken(secret: string): string {
  return createHmac('sha256', secret).update('form of the hosted pages').digest('base64url')
}

/**
 * Refuses a form that this browser was not given by us: posted from another origin, without the cookie, or without the token that
 * goes with it (OWASP Cross-Site Request Forgery Prevention; login forms included).
 * @returns the cookie's secret
 * @throws RequestError `foreign_form`
 */
export function requireOwnForm(event: HttpEvent, secret: string | undefined, token: string): string {
  if (!isSameOrigin(event)) throw new RequestError('foreign_form', { message: 'form from another origin' })
  if (secret === undefined) throw new RequestError('foreign_form', { message: 'form without the cookie' })
  const expected = Buffer.from(formToken(secret))
  const given = Buffer.from(token)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new RequestError('foreign_form', { message: 'form token of another session' })
  return secret
}

/**
 * What the browser says about where a form was sent from. Under `Referrer-Policy: no-referrer` its `Origin` is `null` (Fetch §3.2),
 * which anybody can have: then only `Sec-Fetch-Site` can vouch for it. A caller that sends neither header is no browser of today.
 */
function isSameOrigin(event: HttpEvent): boolean {
  const origin = header(event, 'origin')
  const site = header(event, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined || (origin === 'null' && site === 'same-origin')) return true
  return origin === `${header(event, 'x-forwarded-proto') ?? 'https'}://${header(event, 'host') ?? ''}`
}
