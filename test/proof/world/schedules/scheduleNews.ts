import type { GatewayEvent } from '../../../../lib/billing/gateway/gatewayEvent.ts'
import { withCalls } from '../../../billing/gatewayCalls.ts'
import type { Operation } from '../world.ts'

type Deps = Parameters<Operation>[0]

/** Brings the gateway's events to operations that wait for them, at the very call that owes them. */
export interface News {
  /** The owed event of this place in order, as soon as there are so many; undefined once no other can be owed. */
  event(place: number): Promise<GatewayEvent | undefined>
  /** The same ports, which announce every write at the gateway. */
  watched(deps: Deps): Deps
  /** Told when an operation has ended. */
  ended(): void
  /** Operations that neither ended nor wait. */
  busy(): number
}

/** @param operations how many are about to start */
export function createNews(owed: () => GatewayEvent[], operations: number): News {
  let busy = operations
  let waiting: { place: number; resolve(event: GatewayEvent | undefined): void }[] = []

  function announce(): void {
    if (waiting.length === 0) return
    const events = owed()
    const served = waiting.filter(({ place }) => busy === 0 || events[place])
    waiting = waiting.filter((one) => !served.includes(one))
    busy += served.length
    for (const { place, resolve } of served) resolve(events[place])
  }

  async function announced<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const value = await answer
    announce()
    return value
  }

  return {
    event: (place) =>
      new Promise((resolve) => {
        waiting.push({ place, resolve })
        busy -= 1
        announce()
      }),
    watched: (deps) => ({
      ...withCalls(deps, (calls) => ({
        createSubscription: (...args) => announced(calls.createSubscription(...args)),
        payInvoice: (...args) => announced(calls.payInvoice(...args)),
        cancelAtPeriodEnd: (...args) => announced(calls.cancelAtPeriodEnd(...args)),
        cancelNow: (...args) => announced(calls.cancelNow(...args)),
        voidInvoice: (...args) => announced(calls.voidInvoice(...args)),
        refundSubscription: (...args) => announced(calls.refundSubscription(...args)),
      })),
      byHand: (...args) => announced(deps.byHand(...args)),
    }),
    ended() {
      busy -= 1
      announce()
    },
    busy: () => busy,
  }
}
