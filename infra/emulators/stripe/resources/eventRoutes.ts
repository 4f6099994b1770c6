import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape, page, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { DeliveryRecord } from '../state/state.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route, unlisted } from '../wire/route.ts'
import type { WireEvent } from '../wire/wire.ts'
import { deliver, endpointsFor } from './events.ts'
import { requireRow } from './requireRow.ts'

/** Stripe shows events of the last 30 days only. */
export const eventsKeptSeconds = 30 * 86_400

const listParams = p.paramsFor<Stripe.EventListParams>()({
  ...listShape,
  delivery_success: p.flag().optional(),
  type: p.text().optional(),
  types: z.array(p.text()).max(20).optional(),
})

function ofType(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** A delivery that was given up counts as undelivered, and so does a delivery that is still tried: https://docs.stripe.com/api/events/list. */
function wasAcknowledged({ last_status }: DeliveryRecord): boolean {
  return last_status !== null && last_status >= 200 && last_status < 300
}

/** The events that an endpoint has not acknowledged, by the first delivery or by one that was asked for. */
function undeliveredEvents({ store }: Pick<Context, 'store'>): Set<string> {
  const rows = store.all('deliveries')
  const pair = ({ event, endpoint }: DeliveryRecord) => `${event} ${endpoint}`
  const acknowledged = new Set(rows.filter(wasAcknowledged).map(pair))
  return new Set(rows.flatMap((row) => (acknowledged.has(pair(row)) ? [] : [row.event])))
}

function findEvent({ store, now }: Pick<Context, 'store' | 'now'>, id: string): WireEvent {
  const event = store.get('events', id)
  if (event === undefined || event.created <= now - eventsKeptSeconds) throw resourceMissing('event', id, 'id')
  return event
}

/** What `stripe events resend` sends beside the event. */
interface RetryParams {
  account?: string
  for_stripecli?: boolean
  webhook_endpoint?: string
}
const retryParams = p.paramsFor<RetryParams>()(
  { for_stripecli: p.flag().optional(), webhook_endpoint: p.text().optional() },
  ['account'],
)

/** Sends an event again: to the endpoint named or, in place of `stripe listen`, to each that wants it. */
function retry(context: Context, sent: p.ParsedBy<typeof retryParams>, id: string): WireEvent {
  const event = findEvent(context, id)
  const { webhook_endpoint: named } = sent
  const endpoints =
    named === undefined
      ? endpointsFor(context, event.type)
      : [requireRow(context, 'webhook_endpoints', named, 'webhook_endpoint')]
  return deliver(context, event, endpoints)
}

/** Endpoints of https://docs.stripe.com/api/events. */
export const eventRoutes = [
  route('GET', '/v1/events', listParams, (context, sent) => {
    const { store, now } = context
    const undelivered = undeliveredEvents(context)
    const rows = store.all('events').filter((row) => {
      return (
        row.created > now - eventsKeptSeconds &&
        (sent.type === undefined || ofType(row.type, sent.type)) &&
        (sent.types === undefined || sent.types.some((pattern) => ofType(row.type, pattern))) &&
        (sent.delivery_success === undefined || sent.delivery_success !== undelivered.has(row.id)) &&
        within(row.created, sent.created)
      )
    })
    return page(rows, sent, '/v1/events')
  }),
  route('GET', '/v1/events/:id', p.noParams, (context, _sent, id) => findEvent(context, id)),
  unlisted(route('POST', '/v1/events/:id/retry', retryParams, retry)),
]
