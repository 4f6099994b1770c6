import type { KeptMail } from '../../emulators/ses/startSesServer.ts'

/** A mail has styles of its own; it may neither run, load nor send anything, and is framed by the mailbox only. */
export const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** The HTML of a mail. Its links open in a tab of their own: what they lead to refuses to be framed. */
export function mailDocument({ html }: Pick<KeptMail, 'html'>): string {
  const base = '<base target="_blank">'
  return /<head>/i.test(html) ? html.replace(/<head>/i, (head) => head + base) : base + html
}
