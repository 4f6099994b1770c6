import { createHash } from 'node:crypto'
import { securityHeaders } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import type { Look } from './look.ts'
import type { WebPage } from './page.ts'
import { pageStyle } from './pageStyle.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface PageAnswer {
  status: number
  page: WebPage
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
  /** Further CSP sources that the forms may lead to, even if by a redirect. */
  formTargets?: readonly string[]
  /**
   * Set if the opener of this popup keeps its reference, so that the client's callback page can answer it. The opener
   * learns nothing about this page, because its origin differs.
   */
  keepsOpener?: boolean
}

/**
 * Returns a page with headers against framing, caching, sniffing and referrers (RFC 9700 §4.16, §4.2.4; ASVS 5.0 §3.4).
 * The policy allows only the page's style and scripts by their hashes, the embedded picture, and, if the page uses
 * passkeys, requests to this service.
 */
export function pageAnswer(
  { branding }: Pick<Look, 'branding'>,
  { status, page, headers, cookies = [], formTargets = [], keepsOpener = false }: PageAnswer,
): HttpResult {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(pageStyle(branding))}`,
    ...(page.scripts.length > 0 ? [`script-src ${page.scripts.map(hashOf).join(' ')}`] : []),
    ...(page.asksService ? ["connect-src 'self'"] : []),
    ...(branding.logo === undefined ? [] : ['img-src data:']),
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    statusCode: status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      ...(!keepsOpener && { 'cross-origin-opener-policy': 'same-origin' }),
      ...securityHeaders,
      ...headers,
    },
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    body: page.document,
  }
}
