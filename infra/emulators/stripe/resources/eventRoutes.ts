import type Stripe from 'stripe'
import { z } from 'zod'
import { listShape, page, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import type { DeliveryRecord } from '../state/state.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'

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

/** Endpoints of https://docs.stripe.com/api/events. */
export const eventRoutes = [
  route('GET', '/v1/events', listParams, ({ store, now }, sent) => {
    const undelivered = new Set(store.all('deliveries').flatMap((row) => (wasAcknowledged(row) ? [] : [row.event])))
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
  route('GET', '/v1/events/:id', p.noParams, ({ store, now }, _sent, id) => {
    const event = store.get('events', id)
    if (event === undefined || event.created <= now - eventsKeptSeconds) throw resourceMissing('event', id, 'id')
    return event
  }),
]
