import type { Ids } from '../core/ids.ts'
import type { Delivery, EndpointName } from './ports.ts'

/** A delivery of an event that is due at once. `now` is Unix milliseconds. */
export function newDelivery(
  ids: Pick<Ids, 'uuid'>,
  now: number,
  { owner, id: endpointId }: EndpointName,
  event: Pick<Delivery, 'eventId' | 'eventType' | 'event'>,
): Delivery {
  return {
    id: deliveryIdOf(now, ids.uuid()),
    endpointId,
    owner,
    ...event,
    createdAt: now,
    status: 'pending',
    attempts: 0,
    firstAttemptAt: null,
    nextAttemptAt: now,
    lastAttempt: null,
  }
}

/** A UUID of version 7, which begins with the time (RFC 9562 §5.7). Deliveries are stored by time, so their ids lead to them. */
function deliveryIdOf(at: number, random: string): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** When the delivery of this id was made; Unix milliseconds. */
export function madeAt(deliveryId: string): number {
  return Number.parseInt(deliveryId.replaceAll('-', '').slice(0, 12), 16)
}
