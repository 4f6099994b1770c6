import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { described, documented, named } from '../../http/schema.ts'
import { eventTypes } from '../eventTypes.ts'
import type { Delivery, DeliveryAttempt, DeliveryStatus } from '../ports.ts'

const statuses = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryStatus[]

/** The states by which deliveries are filtered. */
export const deliveryStatusSchema = z.enum(statuses)

const attemptResource = z.strictObject({
  at: described('When it was tried', z.iso.datetime()),
  response_status: described('The status of the answer; null without an answer', z.nullable(z.int())),
  response_body: described('The first 1 KB of the answer; null without an answer', z.nullable(z.string())),
  error: described('Why there was no answer, such as `timeout`; null if there was one', z.nullable(z.string())),
})

/** A delivery of an event to an endpoint in the API. */
export const deliveryResource = named(
  'WebhookDelivery',
  z.strictObject({
    id: described('The delivery’s id in paths', z.uuid()),
    event_id: described('The id of the event, which is the header `webhook-id`', z.string()),
    event_type: documented({ description: 'The type of the event', 'x-extensible-enum': eventTypes }, z.string()),
    status: documented(
      {
        description: '`pending`: it is tried, perhaps again. `failed`: it is not tried again, unless you resend it',
        'x-extensible-enum': statuses,
      },
      z.string(),
    ),
    attempts: described('How often it was tried', z.int()),
    next_attempt_at: described('When it is tried next; null if it is not', z.nullable(z.iso.datetime())),
    last_attempt: described('What came of the last try; null before the first', z.nullable(attemptResource)),
  }),
)

/** Maps a delivery to the API's object. */
export function toDeliveryResource(delivery: Delivery): z.infer<typeof deliveryResource> {
  const { id, eventId, eventType, status, attempts, nextAttemptAt, lastAttempt } = delivery
  return {
    id,
    event_id: eventId,
    event_type: eventType,
    status,
    attempts,
    next_attempt_at: nextAttemptAt === null ? null : toRfc3339(nextAttemptAt),
    last_attempt: lastAttempt && toAttemptResource(lastAttempt),
  }
}

function toAttemptResource({ at, responseStatus, responseBody, error }: DeliveryAttempt) {
  return { at: toRfc3339(at), response_status: responseStatus, response_body: responseBody, error }
}
