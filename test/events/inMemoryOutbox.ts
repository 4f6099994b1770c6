import type { OrganizationId } from '../../lib/core/ids.ts'
import type { EventDraft, StoredEvent } from '../../lib/events/event.ts'
import type { Delivery, Outbox } from '../../lib/events/ports.ts'
import { orderEvents } from '../../lib/events/relay/orderEvents.ts'

/** The fake of the outbox: each method reads or changes the lists at once. */
export function createOutboxInMemory(waiting: EventDraft[]) {
  const events: StoredEvent[] = []
  const deliveries: Delivery[] = []
  const lastOf = (id: OrganizationId) => events.findLast((event) => event.organizationId === id)?.sequence ?? 0
  const outbox: Outbox = {
    async read(id) {
      return { waiting: orderEvents(waiting.filter((each) => each.organizationId === id)), last: lastOf(id) }
    },
    async relay(event, { id }, made) {
      const index = waiting.findIndex((each) => each.id === id)
      if (index === -1 || lastOf(event.organizationId) !== event.sequence - 1) return 'conflict'
      waiting.splice(index, 1)
      events.push(event)
      deliveries.push(...made)
      return 'written'
    },
    async listWaiting() {
      return [...new Set(waiting.map((each) => each.organizationId))]
    },
  }
  return { outbox, events, deliveries }
}
