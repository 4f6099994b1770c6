import type { SlotChange } from '../../../../lib/billing/slot/ports.ts'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import { account, caller, organizationId } from '../../fixtures.ts'
import { memoryRecords } from '../../memoryRecords.ts'

/** The owner's change of the one stored slot; other writers write `overtakenBy`, each before one of our writes. */
export function changeStored(stored: Slot, overtakenBy: readonly (Slot | undefined)[] = []) {
  const records = memoryRecords([stored])
  const overtakers = [...overtakenBy]
  const calls: string[] = []
  return {
    calls,
    /** A call to the gateway that is noted and answered so. */
    answering:
      <Answer>(name: string, answer: Answer) =>
      async (id: string) => {
        calls.push(`${name} ${id}`)
        return answer
      },
    records: {
      read: async () => ({ role: 'owner' as const, account, slots: [stored] }),
      commit: async (change: SlotChange) => {
        const next = overtakers.shift()
        if (next) await records.commit({ next })
        return records.commit(change)
      },
    },
    /** What the change returned or threw, and what it left. */
    async outcomeOf(change: (request: ChangeRequest) => Promise<unknown>) {
      const request = { organizationId, caller, product: stored.product }
      const result = await change(request).catch((error: unknown) => error)
      return { result, calls, slot: records.slots()[0], tries: records.tries }
    },
  }
}

type ChangeRequest = { organizationId: typeof organizationId; caller: typeof caller; product: Slot['product'] }
