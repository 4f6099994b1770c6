import { isDeepStrictEqual } from 'node:util'
import { type Context, newId } from '../state/context.ts'
import type { Kind, Tables } from '../state/state.ts'
import { apiVersion, isRecord, type WireEvent } from '../wire/wire.ts'

/** Old values of what changed between two versions of an object, nested objects by member, as in an event's `previous_attributes`. */
export function previousAttributes(before: object, after: object): Record<string, unknown> {
  const old: Record<string, unknown> = {}
  const now = new Map<string, unknown>(Object.entries(after))
  for (const [key, value] of Object.entries(before)) {
    const current = now.get(key)
    if (isDeepStrictEqual(value, current)) continue
    old[key] = isRecord(value) && isRecord(current) ? previousAttributes(value, current) : value
  }
  for (const key of now.keys()) if (!(key in before)) old[key] = null
  return old
}

/** The endpoints that are registered for a type of events. */
export function endpointsFor({ store }: Pick<Context, 'store'>, type: WireEvent['type']) {
  return store.all('webhook_endpoints').filter(({ status, enabled_events: wanted }) => {
    return status === 'enabled' && (wanted.includes('*') || wanted.includes(type))
  })
}

/** Schedules the delivery of an event to endpoints. Returns the event as it is stored. */
export function deliver(context: Context, event: WireEvent, endpoints: readonly { id: string }[]): WireEvent {
  const { store, now } = context
  const sent = { ...event, pending_webhooks: event.pending_webhooks + endpoints.length }
  store.put('events', sent)
  for (const endpoint of endpoints) {
    const parts = { id: newId(context, 'deliveries'), event: event.id, endpoint: endpoint.id }
    store.put('deliveries', { ...parts, attempts: 0, next_attempt: now, last_status: null, done: false })
  }
  return sent
}

/** Records an event and schedules its delivery to every endpoint that is registered for its type. */
export function emit(context: Context, type: WireEvent['type'], object: object, previous?: object): void {
  const event: WireEvent = {
    id: newId(context, 'events'),
    object: 'event',
    api_version: apiVersion,
    created: context.now,
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 0,
    request: { ...context.request },
    type,
  }
  deliver(context, event, endpointsFor(context, type))
}

/** Writes a row and, when anything changed, emits `type` with the previous values. Returns the new row. */
export function change<K extends Kind>(
  context: Context,
  kind: K,
  row: Tables[K],
  patch: Partial<Tables[K]>,
  type?: WireEvent['type'],
): Tables[K] {
  const next = { ...row, ...patch }
  if (isDeepStrictEqual(row, next)) return row
  context.store.put(kind, next)
  const tellsBefore = type?.endsWith('updated') || type === 'payment_method.detached'
  if (type !== undefined) emit(context, type, next, tellsBefore ? previousAttributes(row, next) : undefined)
  return next
}

/** Changes a subscription and emits `customer.subscription.updated`. */
export function changeSubscription(
  context: Context,
  subscription: Tables['subscriptions'],
  patch: Partial<Tables['subscriptions']>,
): Tables['subscriptions'] {
  return change(context, 'subscriptions', subscription, patch, 'customer.subscription.updated')
}

/** Writes a new row and emits its `created` event, if it has one. */
export function create<K extends Kind>(context: Context, kind: K, row: Tables[K], type?: WireEvent['type']): Tables[K] {
  context.store.put(kind, row)
  if (type !== undefined) emit(context, type, row)
  return row
}
