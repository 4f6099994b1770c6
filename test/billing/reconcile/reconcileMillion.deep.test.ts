import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import type { Page } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { ListedSubscription } from '../../../lib/billing/gateway/subscription.ts'
import type { ListedSlot } from '../../../lib/billing/reconcile/passContext.ts'
import { reconcile } from '../../../lib/billing/reconcile/reconcile.ts'
import type { Slot, SlotName } from '../../../lib/billing/slot/slot.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { liveSlot, ok, purchase, subscription } from '../fixtures.ts'
import { emptyLists } from './emptyLists.ts'

const SUBSCRIPTIONS = 1_000_000
const HELD_PAGE = 1000
const MEBIBYTE = 2 ** 20

const organizationOf = (index: number) =>
  organizationIdSchema.parse(`00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`)
const indexOf = ({ organizationId }: Pick<SlotName, 'organizationId'>) => Number.parseInt(organizationId.slice(24), 16)

/** Subscription `index`, generated when its page is asked for. */
function rowOf(index: number): ListedSubscription {
  const item = { priceId: 'price_1', lookupKey: 'base_ota', gatewayProductId: 'prod_1', currency: 'usd', quantity: 1 }
  const own = { ...purchase, organization_id: organizationOf(index) }
  return {
    ...subscription({ id: `sub_${index}`, customerId: `cus_${index}`, purchase: own }),
    terms: { items: [item], currency: 'usd', collectionPaused: false, couponIds: [], trialEnd: null },
  }
}

function slotOf(index: number): Slot {
  const { subscription: snapshot, ...slot } = liveSlot({ organizationId: organizationOf(index) })
  return { ...slot, ...(snapshot && { subscription: { ...snapshot, id: `sub_${index}` } }) }
}

/** Rows `cursor` to `cursor + size` of a list that is never whole in memory. */
function pageOf<Row>(cursor: string | undefined, size: number, row: (index: number) => Row): Page<Row> {
  const start = Number(cursor ?? 0)
  const end = Math.min(start + size, SUBSCRIPTIONS)
  const rows = Array.from({ length: end - start }, (_, at) => row(start + at))
  return { rows, ...(end < SUBSCRIPTIONS && { next: String(end) }) }
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

describe('The reconciliation of a million subscriptions', () => {
  // [bug 7]
  it('keeps no more in memory at its end than at its beginning, in runs that each continue the last', async () => {
    let now = 0
    let highest = 0
    let marks = 0
    const fakes = emptyLists()
    const deps = {
      ...fakeBilling({ gateway: { prices: async () => ok(new Map()) } }),
      ...fakes,
      clock: { now: () => now, sync: async () => {} },
      passes: {
        ...fakes.passes,
        async writePass(pass: Parameters<typeof fakes.passes.writePass>[0]) {
          now += 1000
          if (pass.rev % 1000 === 0) {
            collect()
            highest = Math.max(highest, process.memoryUsage().heapUsed)
          }
          fakes.written.splice(0, fakes.written.length - 1)
          return fakes.passes.writePass(pass)
        },
        readSlots: async (names: readonly SlotName[]) => names.map((name) => slotOf(indexOf(name))),
        async markSeen() {
          marks += 1
        },
        listHeld: async (_pass: string, cursor?: string): Promise<Page<ListedSlot>> =>
          pageOf(cursor, HELD_PAGE, (index) => ({ slot: slotOf(index), seen: true })),
      },
      listing: { ...fakes.listing, listSubscriptions: async (cursor?: string) => ok(pageOf(cursor, 100, rowOf)) },
    }
    collect()
    const before = process.memoryUsage().heapUsed
    const states: string[] = []
    for (let run = 0; run < 20 && states.at(-1) !== 'complete'; run += 1) {
      states.push((await reconcile(deps, { finishBy: now + 870_000 })).state)
    }
    const { counts } = fakes.written.at(-1) ?? {}
    expect(counts).toMatchObject({ subscriptions: SUBSCRIPTIONS, slots: SUBSCRIPTIONS, drift: 0, left: 0 })
    expect(states).toEqual([...Array<string>(states.length - 1).fill('continues'), 'complete'])
    expect(states.length).toBeGreaterThan(10)
    expect(marks).toBe(SUBSCRIPTIONS)
    expect((highest - before) / MEBIBYTE).toBeLessThan(16)
  })
})
