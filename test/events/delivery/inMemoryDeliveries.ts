import type {
  ClaimedDelivery,
  DeliveryName,
  DeliveryQueue,
  ServedEndpoint,
} from '../../../lib/events/delivery/ports.ts'
import type { Delivery, PendingDeliveries } from '../../../lib/events/ports.ts'

interface StoredDelivery {
  delivery: Delivery
  dueAt: number | undefined
}

interface StoredEndpoint {
  endpoint: ServedEndpoint
  /** Ends of the leases of its two places. */
  turns: (number | undefined)[]
}

/** A table `events` with what a test puts into it. */
export interface DeliveriesInMemory extends DeliveryQueue, PendingDeliveries {
  putEndpoint(endpoint: ServedEndpoint): Promise<void>
  removeEndpoint(id: string): Promise<void>
  putDelivery(delivery: Delivery): Promise<void>
  putEvent(event: { organizationId: string; sequence: number; body: string }): Promise<void>
  findEndpoint(id: string): Promise<ServedEndpoint | undefined>
  findDelivery(name: DeliveryName): Promise<Delivery | undefined>
  /** The endpoints whose owners are to be told. */
  notices(): Promise<string[]>
}

/** The fake of the store: each method changes the records at once. */
export function createDeliveriesInMemory(): DeliveriesInMemory {
  const endpoints = new Map<string, StoredEndpoint>()
  const deliveries = new Map<string, StoredDelivery>()
  const bodies = new Map<string, string>()
  const noted: string[] = []

  const change = (id: string, changed: (endpoint: ServedEndpoint) => ServedEndpoint) => {
    const stored = endpoints.get(id)
    if (stored) stored.endpoint = changed(stored.endpoint)
  }

  return {
    async putEndpoint(endpoint) {
      endpoints.set(endpoint.id, { endpoint, turns: [undefined, undefined] })
    },
    async removeEndpoint(id) {
      endpoints.delete(id)
    },
    async putDelivery(delivery) {
      deliveries.set(delivery.id, { delivery, dueAt: delivery.createdAt })
    },
    async putEvent({ organizationId, sequence, body }) {
      bodies.set(`${organizationId} ${sequence}`, body)
    },
    findEndpoint: async (id) => endpoints.get(id)?.endpoint,
    findDelivery: async ({ id }) => deliveries.get(id)?.delivery,
    notices: async () => noted,

    async listDue(now) {
      return [...deliveries.values()]
        .filter(({ dueAt }) => dueAt !== undefined && dueAt <= now)
        .toSorted((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
        .map(({ delivery: { owner, endpointId, createdAt, id } }) => ({ owner, endpointId, createdAt, id }))
    },

    async takeTurn({ id }, { now, until }) {
      const stored = endpoints.get(id)
      if (stored === undefined) return { kind: 'gone' }
      const place = ([0, 1] as const).find((each) => (stored.turns[each] ?? 0) < now)
      if (place === undefined) return { kind: 'busy' }
      stored.turns[place] = until
      return { kind: 'taken', turn: { place, until }, endpoint: stored.endpoint }
    },

    async endTurn({ id }, { place, until }) {
      const stored = endpoints.get(id)
      if (stored?.turns[place] === until) stored.turns[place] = undefined
    },

    async claim({ id }, { now, until }) {
      const stored = deliveries.get(id)
      if (stored?.dueAt === undefined || stored.dueAt > now) return undefined
      const { attempts, firstAttemptAt } = stored.delivery
      stored.dueAt = until
      stored.delivery = { ...stored.delivery, attempts: attempts + 1 }
      return { ...stored.delivery, firstAttemptAt: firstAttemptAt ?? now, until }
    },

    async read({ endpointId, event }) {
      const endpoint = endpoints.get(endpointId)?.endpoint
      return {
        endpoint,
        body: 'body' in event ? event.body : bodies.get(`${event.organizationId} ${event.sequence}`),
      }
    },

    async settle({ id, until, firstAttemptAt }: ClaimedDelivery, settlement) {
      const stored = deliveries.get(id)
      if (stored?.delivery.status !== 'pending') return
      const { status, attempts, lastAttempt } = settlement
      if (status !== 'delivered' && stored.dueAt !== until) return
      const next = settlement.status === 'pending' ? settlement.next : undefined
      stored.dueAt = next?.at
      const nextAttemptAt = next?.kind === 'try' ? next.at : null
      stored.delivery = { ...stored.delivery, status, attempts, firstAttemptAt, lastAttempt, nextAttemptAt }
    },

    async noteTrouble({ id }, { failedAt, slowUntil }) {
      change(id, (endpoint) => {
        const failingSince = endpoint.failingSince ?? failedAt
        return { ...endpoint, slowUntil, ...(failingSince !== undefined && { failingSince }) }
      })
    },

    async noteSuccess({ id }) {
      change(id, ({ failingSince: _, ...endpoint }) => endpoint)
    },

    async disable({ id, url, owner, failingSince }, reason) {
      const now = endpoints.get(id)?.endpoint
      if (!now?.enabled || now.url !== url) return false
      if (reason === 'failing' && (failingSince === undefined || now.failingSince !== failingSince)) return false
      change(id, ({ failingSince: _since, slowUntil: _until, ...endpoint }) => ({
        ...endpoint,
        enabled: false,
        disabledReason: reason,
      }))
      if (reason === 'failing' && owner !== 'operator') noted.push(id)
      return true
    },

    async endAll(endpointId) {
      for (const stored of deliveries.values()) {
        if (stored.delivery.endpointId !== endpointId || stored.delivery.status !== 'pending') continue
        stored.dueAt = undefined
        stored.delivery = { ...stored.delivery, status: 'failed', nextAttemptAt: null }
      }
    },
  }
}
