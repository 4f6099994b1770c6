import type { Context } from '../state/context.ts'
import type { DeliveryRecord } from '../state/state.ts'
import { signatureHeader } from './webhookEndpoints.ts'

/** An HTTP request to a webhook endpoint. */
export interface OutgoingWebhook {
  delivery: string
  event: string
  type: string
  url: string
  headers: Record<string, string>
  body: string
}

/** Seconds to wait after each failed attempt: about three days in live mode, a few hours in test mode. Stripe's own are not published. */
const backoffSeconds = { live: [60, 300, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400], test: [60, 3600, 7200] }

/** The signed request of a delivery; undefined when its endpoint or event was deleted. */
export function outgoing({ store, now }: Context, delivery: DeliveryRecord): OutgoingWebhook | undefined {
  const event = store.get('events', delivery.event)
  const endpoint = store.get('webhook_endpoints', delivery.endpoint)
  const secrets = store.get('endpoint_secrets', delivery.endpoint)
  if (event === undefined || endpoint === undefined || secrets === undefined) return undefined
  // An event is written in the version of the endpoint, not of the request that caused it.
  const body = JSON.stringify({ ...event, api_version: endpoint.api_version ?? event.api_version }, null, 2)
  const expires = secrets.previous_expires_at ?? null
  const both = secrets.previous !== null && (expires === null || expires > now)
  return {
    delivery: delivery.id,
    event: event.id,
    type: event.type,
    url: endpoint.url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signatureHeader(body, now, [
        secrets.secret,
        ...(both && secrets.previous !== null ? [secrets.previous] : []),
      ]),
    },
    body,
  }
}

/** Records an attempt: a 2xx completes the delivery, anything else is retried after a growing delay until the last attempt. */
export function recordAttempt({ store, now, settings }: Context, id: string, status: number | null): void {
  const delivery = store.get('deliveries', id)
  if (delivery === undefined || delivery.done) return
  const succeeded = status !== null && status >= 200 && status < 300
  const wait = succeeded ? undefined : backoffSeconds[settings.webhookRetries][delivery.attempts]
  const next_attempt = wait === undefined ? null : now + wait
  store.put('deliveries', {
    ...delivery,
    attempts: delivery.attempts + 1,
    last_status: status,
    next_attempt,
    done: wait === undefined,
  })
  const event = store.get('events', delivery.event)
  if (succeeded && event) store.put('events', { ...event, pending_webhooks: Math.max(0, event.pending_webhooks - 1) })
}
