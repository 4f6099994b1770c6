import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Html, html } from '../../../lib/core/html.ts'
import { localSecrets } from '../../data/demo.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { headerOf, splitTarget, type WireRequest } from '../http/apiGatewayEvent.ts'
import { copyButton, fileControls, localAnswer, localPage } from '../pages/localPage.ts'
import type { ReceivedEvent, Receiver } from './receiver.ts'

export const EVENTS_PATH = '/_local/events'

const accepted = { status: 204, headers: {}, body: Buffer.alloc(0) }

const refusals = {
  bad_signature:
    'No signature of this endpoint’s secret. Of another endpoint, add the secret to the URL: ?secret=whsec_...',
  bad_timestamp: 'The timestamp is more than five minutes off the stack’s clock',
} as const

/** The receiver's secret is 24 to 64 bytes in base64, as Standard Webhooks says. */
const secretFormat = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/)

/**
 * The receiver of events: `POST /_local/events` takes an event with a good signature, of the secret of the operator's local endpoint or of
 * `?secret=`. `GET /_local/events` is a page, `/_local/events.json` the last events, newest first.
 */
export function eventControls(
  receiver: Receiver,
): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  return {
    async 'POST /_local/events'(request) {
      const { query } = splitTarget(request.url)
      // A `+` of base64 is a space in a query.
      const asked = new URLSearchParams(query).get('secret')?.replaceAll(' ', '+') ?? localSecrets.eventSecret
      const secret = secretFormat.safeParse(asked).data
      if (secret === undefined) return json(422, { detail: 'secret is not whsec_ and base64' })
      const refused = await receiver.receive(receivedEvent(request), secret)
      return refused === undefined ? accepted : json(401, { detail: refusals[refused] })
    },
    async 'GET /_local/events'(request) {
      const page = eventsPage(receiver.list())
      const etag = `"${createHash('sha256').update(page).digest('base64url')}"`
      if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) }
      const answer = localAnswer(page, 'text/html; charset=utf-8')
      return { ...answer, headers: { ...answer.headers, etag } }
    },
    'GET /_local/events.json': async () => json(200, { events: receiver.list() }),
    ...fileControls(`${EVENTS_PATH}/`, import.meta.url, ['events.css', 'events.js']),
  }
}

function receivedEvent({ headers, body }: WireRequest): ReceivedEvent {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  return { headers: Object.fromEntries(named), body: Buffer.from(body).toString('utf8') }
}

function eventsPage(events: readonly ReceivedEvent[]): string {
  return localPage({
    title: events.length === 0 ? 'Events' : `Events (${events.length})`,
    path: EVENTS_PATH,
    styles: [EVENTS_STYLE],
    scripts: [EVENTS_SCRIPT],
    body: html`<h1>Events</h1>
<p class="lead">A receiver, as a server of the operator would have it: its endpoint hears every organization, and it takes what is signed with the endpoint’s secret. Buy a product in the console, and its events arrive here.</p>
<section class="panel" aria-label="Received events">${eventList(events)}</section>
<p class="hint">The last 200 events, newest first, until the stack stops. As JSON: <a href="/_local/events.json">/_local/events.json</a>. Register <code>${EVENTS_PATH}?secret=</code> with its secret to receive the events of another endpoint here.</p>`,
  })
}

export const EVENTS_STYLE = `${EVENTS_PATH}/events.css`
/** Takes over new events of the list. */
export const EVENTS_SCRIPT = `${EVENTS_PATH}/events.js`

const sentBody = z.object({
  type: z.string(),
  timestamp: z.string(),
  organization_id: z.string(),
  sequence: z.number().nullable(),
})

/** The events, each with what was sent. The script keeps the list up to date. */
export function eventList(events: readonly ReceivedEvent[]): Html {
  return html`<div id="events">${
    events.length === 0
      ? html`<p class="none">No event yet.</p>`
      : html`<ol class="events">${events.map(eventItem)}</ol>`
  }</div>`
}

function eventItem({ headers, body }: ReceivedEvent): Html {
  const { data: sent } = sentBody.safeParse(parseJson(body))
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'user-agent', 'content-type']
  const shown = signed.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]))
  const raw = `${shown.join('\n')}\n\n${JSON.stringify(parseJson(body), null, 2)}`
  return html`<li><details data-id="${headers['webhook-id'] ?? ''} ${headers['webhook-timestamp'] ?? ''}"><summary><strong>${sent?.type ?? 'unknown'}</strong> <span>${sent?.sequence === null ? 'test' : `no. ${sent?.sequence ?? '?'} of ${sent?.organization_id ?? '?'}`}</span> <time datetime="${sent?.timestamp ?? ''}">${sent?.timestamp.slice(11, 19) ?? ''}</time></summary>
<pre tabindex="0" aria-label="The request">${raw}</pre>${copyButton(raw, 'the request')}</details></li>
`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
