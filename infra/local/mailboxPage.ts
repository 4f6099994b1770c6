import { type Html, html } from '../../lib/core/html.ts'
import type { KeptMail } from '../emulators/ses/startSesServer.ts'

/**
 * The headers of the page. The frames inherit the policy: mails have styles of their own, and neither they nor the page may
 * run, load, send or be framed by anything.
 */
export const mailboxHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** The mails as a page without script, in the order given, the first one open. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox (${mails.length})</title>
${styles}
</head>
<body>
<header><h1>Mailbox</h1><a href="/_local/mail">Look again</a></header>
<main>
<p>${mails.length === 0 ? 'No mail yet.' : `${mails.length} kept, newest first.`} What the service sends ends here: the last 200 mails, until the stack stops. As JSON: <a href="/_local/mail.json">/_local/mail.json</a>; <code>DELETE /_local/mail</code> empties it.</p>
${mails.map(mailOf)}</main>
</body>
</html>
`.toString()
}

function mailOf({ id, to, from, subject, text, html: document, sent_at }: KeptMail, position: number): Html {
  // Links open in a tab of their own: what they lead to refuses to be framed.
  const framed = `<base target="_blank">${document}`
  return html`<details id="${id}"${position === 0 && html` open`}>
<summary><strong>${subject}</strong> <span>to ${to}</span> <time datetime="${sent_at}">${sent_at}</time></summary>
<p>From ${from}</p>
<div class="forms">
<section aria-label="As HTML"><h2>HTML</h2><iframe title="${subject}, as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${framed}"></iframe></section>
<section aria-label="As text"><h2>Text</h2><pre>${text}</pre></section>
</div>
</details>
`
}

const styles = html`<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0 0 0.25rem; font-size: 0.875rem; }
a { color: light-dark(#1d4ed8, #9dbdff); }
details { margin: 0.75rem 0; padding: 0.5rem 1rem; border: 1px solid light-dark(#c5cad2, #464e5a); border-radius: 0.5rem; overflow-wrap: anywhere; }
summary { cursor: pointer; }
summary span, time { color: light-dark(#4b535e, #b3bac4); }
.forms { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
iframe { width: 100%; height: 34rem; border: 1px solid light-dark(#c5cad2, #464e5a); border-radius: 0.5rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>`
