import { createHash } from 'node:crypto'
import { securityHeaders } from '../http/answer.ts'
import type { HttpResult } from '../http/contract.ts'
import { pageStyle } from './pageStyle.ts'

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

export interface PageAnswer {
  status: number
  /** Made by `page`. */
  page: string
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
  /** CSP sources besides our own origin that the page's forms may lead to, also by a redirect of their answers. */
  formTargets?: readonly string[]
  /**
   * Whether the page that opened this one in a popup keeps its hold on it, so that the client's callback page can answer it. It learns
   * nothing of this page, which is of another origin.
   */
  keepsOpener?: boolean
}

/**
 * Returns a page with headers against framing, caching, sniffing and referrers (RFC 9700 §4.16, §4.2.4; ASVS 5.0 §3.4). The
 * policy allows the page's own style by its hash and nothing else: no script, no image, no request.
 */
export function pageAnswer({
  status,
  page,
  headers,
  cookies = [],
  formTargets = [],
  keepsOpener = false,
}: PageAnswer): HttpResult {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
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
    body: page,
  }
}
