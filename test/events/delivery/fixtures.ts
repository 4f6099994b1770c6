import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { ServedEndpoint } from '../../../lib/events/delivery/ports.ts'
import type { Delivery } from '../../../lib/events/ports.ts'

export const organizationId = organizationIdSchema.parse('11111111-1111-4111-8111-111111111111')

/** A UUID with these digits at its end. */
export const uuid = (last: number) => `22222222-2222-4222-8222-${String(last).padStart(12, '0')}`

/** When deliveries of tests are made; Unix milliseconds. */
export const made = Date.UTC(2026, 10, 28, 12)

export function endpointOf(changed: Partial<ServedEndpoint> = {}): ServedEndpoint {
  return {
    owner: organizationId,
    id: uuid(1),
    url: 'https://hook.example/in',
    description: '',
    eventTypes: null,
    enabled: true,
    disabledReason: null,
    createdAt: made - 1000,
    secret: 'cipher',
    ...changed,
  }
}

export function deliveryOf(changed: Partial<Delivery> = {}): Delivery {
  return {
    id: uuid(100),
    endpointId: uuid(1),
    owner: organizationId,
    eventId: 'evt_1',
    eventType: 'entitlement.changed',
    event: { organizationId, sequence: 1 },
    createdAt: made,
    status: 'pending',
    attempts: 0,
    firstAttemptAt: null,
    nextAttemptAt: null,
    lastAttempt: null,
    ...changed,
  }
}
