import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Html, html } from '../../../lib/core/html.ts'
import {
  type KeptMail,
  keptMail,
  MAILBOX_PATH,
  type MailSummary,
  mailSummary,
  SUMMARIES_PATH,
} from '../../emulators/ses/startSesServer.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { headerOf, splitTarget, type WireRequest } from '../http/apiGatewayEvent.ts'
import type { LocalInfo } from '../info.ts'
import { copyButton, fileControls, localAnswer, localPage } from '../pages/localPage.ts'

const TIMEOUT_MS = 5000

const nothing = { status: 204, headers: {}, body: Buffer.alloc(0) }

/** A mail may have styles, but it may not run, load or send anything, and only the mailbox may frame it. */
const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** The HTML of a mail. Its links open in a new tab, because their targets refuse frames. */
function mailDocument({ html }: Pick<KeptMail, 'html'>): string {
  const base = '<base target="_blank">'
  return /<head>/i.test(html) ? html.replace(/<head>/i, (head) => head + base) : base + html
}

/**
 * The mailbox of the SES emulator that the stack uses. `GET /_local/mail` is a page, which opens the newest mail or
 * `?open=<id>`; `/_local/mail/html?id=` is the HTML of a mail; `/_local/mail.json` lists the mails, newest first; `DELETE /_local/mail`
 * empties the mailbox, or deletes `?id=`. Answers 404 if the endpoint is not an SES emulator or has no such mail.
 */
export function mailControls({
  mail,
}: Pick<LocalInfo, 'mail'>): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  const { endpoint } = mail
  const noMailbox = json(404, { detail: `SES at ${endpoint} keeps no mailbox` })
  const noMail = json(404, { detail: 'The mailbox has no such mail' })

  const ask = (path: string, method = 'GET') =>
    fetch(endpoint + path, { method, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)

  /** The answer's body; undefined if it does not match the schema. */
  async function read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
    const response = await ask(path)
    return schema.safeParse(await response?.json().catch(() => undefined)).data
  }

  async function readMail(id: string | undefined): Promise<KeptMail | undefined> {
    return id === undefined ? undefined : read(`${MAILBOX_PATH}/${encodeURIComponent(id)}`, keptMail)
  }

  async function showPage(request: WireRequest): Promise<WireAnswer> {
    const mails = await read(SUMMARIES_PATH, z.array(mailSummary))
    if (mails === undefined) return noMailbox
    const chosen = queryOf(request).get('open') ?? undefined
    const etag = `"${createHash('sha256')
      .update(mails.map(({ id }) => id).join())
      .digest('base64url')}"`
    if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) }
    const shown = mails.find(({ id }) => id === chosen)?.id
    const page = mailboxPage(mails, {
      mail: await readMail(shown ?? mails[0]?.id),
      chosen: shown !== undefined,
      etag,
    })
    const answer = localAnswer(
      page,
      'text/html; charset=utf-8',
      "style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'",
    )
    return { ...answer, headers: { ...answer.headers, etag } }
  }

  return {
    'GET /_local/mail': showPage,
    async 'GET /_local/mail/html'(request) {
      const found = await readMail(queryOf(request).get('id') ?? undefined)
      return found === undefined
        ? noMail
        : { status: 200, headers: mailHeaders, body: Buffer.from(mailDocument(found)) }
    },
    async 'GET /_local/mail.json'() {
      const mails = await read(MAILBOX_PATH, z.array(keptMail))
      return mails === undefined ? noMailbox : json(200, mails)
    },
    async 'DELETE /_local/mail'(request) {
      const id = queryOf(request).get('id')
      const response = await ask(id === null ? MAILBOX_PATH : `${MAILBOX_PATH}/${encodeURIComponent(id)}`, 'DELETE')
      if (response?.ok) return nothing
      return id === null ? noMailbox : noMail
    },
    ...fileControls('/_local/mail/', import.meta.url, ['mailbox.css', 'mailbox.js']),
  }
}

function queryOf({ url }: WireRequest): URLSearchParams {
  return new URLSearchParams(splitTarget(url).query)
}

/** The open mail: the newest, unless the user chose another. A phone shows it only when it was chosen. */
interface OpenMail {
  readonly mail: KeptMail | undefined
  readonly chosen: boolean
  /** The list's ETag. The script asks with it whether the list has changed. */
  readonly etag: string
}

/** The mails in the given order, beside the open mail. The script adds search, deletion and live update. */
function mailboxPage(mails: readonly MailSummary[], { mail, chosen, etag }: OpenMail): string {
  return localPage({
    title: mails.length === 0 ? 'Mailbox' : `Mailbox (${mails.length})`,
    path: '/_local/mail',
    styles: ['/_local/mail/mailbox.css'],
    scripts: ['/_local/mail/mailbox.js'],
    body: html`<div class="top"><h1>Mailbox</h1>
<div class="tools" hidden><label class="spoken" for="search">Search by address or subject</label><input id="search" type="search" placeholder="Address or subject" autocomplete="off" spellcheck="false">
<button type="button" class="small" id="delete-all">Delete all</button></div></div>
<p class="spoken" role="status" id="news"></p>
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
