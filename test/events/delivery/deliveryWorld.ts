import type { SendResult, WebhookRequest } from '../../../lib/events/delivery/ports.ts'
import type { RunDeps } from '../../../lib/events/delivery/runDeliveries.ts'
import { made } from './fixtures.ts'
import { createDeliveriesInMemory } from './inMemoryDeliveries.ts'

export const answered = (status: number, body = ''): SendResult => ({ kind: 'answered', status, body })

/** A store in memory, a clock that the test moves, and endpoints that answer as the test says. */
export function openDeliveryWorld() {
  const store = createDeliveriesInMemory()
  const sent: (WebhookRequest & { at: number })[] = []
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields?: unknown) => void logged.push({ message, fields })
  const world = {
    store,
    sent,
    logged,
    now: made,
    /** What the endpoint of a request answers. */
    answer: async (_request: WebhookRequest): Promise<SendResult> => answered(204),
  }
  const deps: RunDeps = {
    queue: store,
    pending: store,
    cipher: { decrypt: async (owner, cipher) => `${owner} ${cipher}` },
    sign: ({ id, at, body }, secrets) => secrets.map((secret) => `${secret} ${id} ${at} ${body}`).join('; '),
    send: async (request) => {
      sent.push({ ...request, at: world.now })
      return world.answer(request)
    },
    clock: { now: () => world.now, sync: async () => {} },
    logger: { info: log, warn: log, error: log },
    random: () => 0.5,
    pause: async (milliseconds) => {
      world.now += milliseconds
    },
  }
  return { ...deps, deps, world }
}
