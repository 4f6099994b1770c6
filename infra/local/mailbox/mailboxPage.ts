import { type Html, html } from '../../../lib/core/html.ts'
import type { KeptMail, MailSummary } from '../../emulators/ses/startSesServer.ts'
import { copyButton, localPage } from '../pages/localPage.ts'

/** The open mail: the newest, unless the user chose another. A phone shows it only when it was chosen. */
interface OpenMail {
  readonly mail: KeptMail | undefined
  readonly chosen: boolean
  /** The list's ETag. The script asks with it whether the list has changed. */
  readonly etag: string
}

/** The mails in the given order, beside the open mail. The script adds search, deletion and live update. */
export function mailboxPage(mails: readonly MailSummary[], { mail, chosen, etag }: OpenMail): string {
  return localPage({
    title: mails.length === 0 ? 'Mailbox' : `Mailbox (${mails.length})`,
    path: '/_local/mail',
    styles: ['/_local/mail/mailbox.css'],
    scripts: ['/_local/mail/mailbox.js'],
    body: html`<div class="top"><h1>Mailbox</h1>
<div class="tools" hidden><label class="unseen" for="search">Search by address or subject</label><input id="search" type="search" placeholder="Address or subject" autocomplete="off" spellcheck="false">
<button type="button" class="small" id="delete-all">Delete all</button></div></div>
<p class="unseen" role="status" id="news"></p>
<div class="mailbox" data-etag="${etag}"${chosen && html` data-chosen`}>
<section class="list" id="list" aria-label="Mails">${mails.length === 0 ? nothingYet : html`<ul>${mails.map((listed) => item(listed, { isOpen: listed.id === mail?.id }))}</ul>`}
<p class="none" id="none" hidden>No mail matches.</p></section>
<article id="mail"${mail === undefined && html` hidden`}>${mail && reader(mail)}</article>
</div>
<p class="hint">What the service sends ends here: the last 200 mails, until the stack stops. As JSON: <a href="/_local/mail.json">/_local/mail.json</a>.</p>`,
  })
}

const nothingYet = html`<p class="none">No mail yet. <a href="/api/auth/link?purpose=register">Register an account</a>, and its mail arrives here by itself.</p>`

function item({ id, to, subject, sent_at }: MailSummary, { isOpen }: { isOpen: boolean }): Html {
  return html`<li><a href="/_local/mail?open=${id}" data-id="${id}"${isOpen && html` aria-current="true"`}><strong>${subject}</strong> <span>${to}</span> <time datetime="${sent_at}">${timeOf(sent_at)}</time></a></li>
`
}

function reader({ id, to, from, subject, text, sent_at }: KeptMail): Html {
  const link = /https?:\/\/[^\s<>"]+/.exec(text)?.[0]
  return html`<p class="back"><a href="/_local/mail">All mails</a></p>
<h2>${subject}</h2>
<dl><dt>To</dt><dd>${to}</dd><dt>From</dt><dd>${from}</dd><dt>Sent</dt><dd><time datetime="${sent_at}">${timeOf(sent_at)}</time></dd></dl>
<p class="actions">${link && html`<a class="small" href="${link}" target="_blank">Open its link</a>${copyButton(link, 'the link')}`}<button type="button" class="small" data-delete="${id}" hidden>Delete</button></p>
<iframe title="${subject}, as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" src="/_local/mail/html?id=${id}"></iframe>
<details><summary>As text</summary><pre>${text}</pre></details>
`
}

/** `2030-01-01 00:00:00 UTC`. Not relative, because the service's clock may be far from the machine's. */
function timeOf(rfc3339: string): string {
  return rfc3339.replace('T', ' ').replace('Z', ' UTC')
}
