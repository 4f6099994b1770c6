import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  type KeptMail,
  keptMail,
  MAILBOX_PATH,
  mailSummary,
  SUMMARIES_PATH,
} from '../../emulators/ses/startSesServer.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { splitTarget, type WireRequest } from '../http/apiGatewayEvent.ts'
import type { LocalInfo } from '../info.ts'
import { fileControls, localAnswer } from '../pages/localPage.ts'
import { mailboxPage } from './mailboxPage.ts'

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
  base_url,
  mail,
}: Pick<LocalInfo, 'base_url' | 'mail'>): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
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

  /** A mail whose links lead to the origin of the request: a browser keeps the cookies of `localhost` and `127.0.0.1` apart. */
  async function readMail(id: string | undefined, request: WireRequest): Promise<KeptMail | undefined> {
    const found = id === undefined ? undefined : await read(`${MAILBOX_PATH}/${encodeURIComponent(id)}`, keptMail)
    if (found === undefined) return undefined
    const origin = originOf(request) ?? base_url
    const here = (text: string) => text.replaceAll(base_url, origin)
    return { ...found, text: here(found.text), html: here(found.html) }
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
      mail: await readMail(shown ?? mails[0]?.id, request),
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
      const found = await readMail(queryOf(request).get('id') ?? undefined, request)
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

function headerOf({ headers }: WireRequest, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** The origin in the browser's address bar; undefined if the header names none. */
function originOf(request: WireRequest): string | undefined {
  const host = headerOf(request, 'host')
  return host !== undefined && /^[\w.-]+(:\d+)?$/.test(host) ? `http://${host}` : undefined
}
