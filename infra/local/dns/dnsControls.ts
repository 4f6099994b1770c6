import * as z from 'zod'
import { type Html, html } from '../../../lib/core/html.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { headerOf, type WireRequest } from '../http/apiGatewayEvent.ts'
import { readBody } from '../http/controlBody.ts'
import { fileControls, localAnswer, localPage } from '../pages/localPage.ts'
import { MAX_BYTES, type TxtRecords } from './nameServer.ts'

export const DNS_PATH = '/_local/dns'
const DNS_STYLE = `${DNS_PATH}/dns.css`

/** The page has forms. */
const SOURCES = "style-src 'self'; img-src 'self'; form-action 'self'"

const name = z.string().trim().min(1).max(255)

const isShort = (values: readonly string[]) => Buffer.byteLength(values.join('')) <= MAX_BYTES

const played = z.object({
  name,
  type: z.literal('TXT'),
  values: z.array(z.string()).max(20).refine(isShort, `more than ${MAX_BYTES} bytes in all`),
  rcode: z.literal('SERVFAIL').optional(),
})

/**
 * The TXT records that the service finds. `GET /_local/dns` is a page, `/_local/dns.json` the same as JSON. `POST /_local/dns` replaces the records
 * of a name, `values: []` removes them, and `rcode: "SERVFAIL"` lets its name servers fail. The page’s form posts the same.
 */
export function dnsControls(
  records: TxtRecords,
): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  return {
    'GET /_local/dns': async () => localAnswer(dnsPage(records), 'text/html; charset=utf-8', SOURCES),
    'GET /_local/dns.json': async () => json(200, { records: records.list().map(toRecord) }),
    async 'POST /_local/dns'(request) {
      const isForm = headerOf(request, 'content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
      const asked = readBody(played, isForm ? { body: jsonOfForm(request) } : request)
      records.set(asked.name, { values: asked.values, fails: asked.rcode !== undefined })
      if (isForm) return { status: 303, headers: { location: DNS_PATH }, body: Buffer.alloc(0) }
      return json(200, { name: asked.name, type: 'TXT', values: asked.values })
    },
    ...fileControls(`${DNS_PATH}/`, import.meta.url, ['dns.css']),
  }
}

/** A line of the field is a value. */
function jsonOfForm({ body }: WireRequest): Buffer {
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'))
  const lines = (form.get('values') ?? '').split(/\r?\n/).map((line) => line.trim())
  return Buffer.from(JSON.stringify({ name: form.get('name') ?? '', type: 'TXT', values: lines.filter(Boolean) }))
}

function toRecord({ name, values, fails }: ReturnType<TxtRecords['list']>[number]) {
  return { name, type: 'TXT', values, ...(fails && { rcode: 'SERVFAIL' }) }
}

function dnsPage(records: TxtRecords): string {
  const all = records.list()
  return localPage({
    title: 'DNS',
    path: DNS_PATH,
    styles: [DNS_STYLE],
    body: html`<h1>DNS</h1>
<p class="lead">The TXT records that this stack finds when it verifies a domain: the internet’s own are not asked. Add a domain to an organization, then set its record here.</p>
<section class="panel" aria-label="Records">${all.length === 0 ? html`<p class="none">No record yet.</p>` : html`<ul class="records">${all.map(recordItem)}</ul>`}</section>
<h2>Set a record</h2>
<form method="post" action="${DNS_PATH}" class="panel">
<label for="name">Full name</label>
<input id="name" name="name" required maxlength="255" autocomplete="off" spellcheck="false" placeholder="_domain-proof.example.com">
<label for="values">Values, each on a line; none removes the name</label>
<textarea id="values" name="values" rows="3" spellcheck="false" placeholder="domain-proof=…"></textarea>
<button type="submit">Save</button>
</form>
<p class="hint">As JSON: <a href="${DNS_PATH}.json">${DNS_PATH}.json</a>. From a terminal: <code>curl -d '{"name":"_domain-proof.example.com","type":"TXT","values":["domain-proof=…"]}' …${DNS_PATH}</code>. With <code>"rcode":"SERVFAIL"</code> its name servers fail. The weekly check runs on the stack’s clock.</p>`,
  })
}

function recordItem({ name, values, fails }: ReturnType<TxtRecords['list']>[number]): Html {
  return html`<li><strong>${name}</strong>${fails && html` <span>SERVFAIL</span>`}${values.map((value) => html`<code>${value}</code>`)}
<form method="post" action="${DNS_PATH}"><input type="hidden" name="name" value="${name}"><button type="submit" class="secondary" aria-label="Remove ${name}">Remove</button></form></li>
`
}
