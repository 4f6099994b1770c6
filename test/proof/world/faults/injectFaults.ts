import { isDeepStrictEqual } from 'node:util'
import { emptySlot, isFree, type Slot } from '../../../../lib/billing/slot/slot.ts'
import { attempt, plainFaults } from '../../../support/attempt.ts'
import type { InMemoryBillingRecords } from '../inMemoryBillingRecords.ts'
import type { Passage, PortCall } from '../orders/gate.ts'
import type { WireFault, WorldStripe } from '../worldStripe.ts'
import type { VirtualClock } from '../worldTime.ts'
import type { Fault, FaultKind } from './faults.ts'

/** What a fault reaches into. */
interface Surroundings {
  clock: VirtualClock
  stripe: WorldStripe
  records: InMemoryBillingRecords
  say(line: string): void
  /** Told the name of every call, before it. */
  seen(name: string): void
  /** Somebody else repeats the operation, from beginning to end. */
  overtake(): Promise<void>
  /** The webhooks that are owed arrive. */
  deliver(): Promise<void>
}

/** Longer than a lease. */
const DELAY = 46_000
/** What every call takes. */
const TAKES = 20

/** Lets every call through, each with the fault that is meant for it. */
export function injectFaults(faults: readonly Fault[], around: Surroundings): (call: PortCall) => Promise<Passage> {
  let calls = 0
  return async (call) => {
    calls += 1
    around.seen(call.name)
    around.clock.advance(TAKES)
    await around.stripe.arrive()
    const fault = faults.find(({ at }) => at === call.name || at === `call ${calls}`)
    around.say(`${call.name}${fault ? `: ${fault.kind}` : ''}`)
    return fault ? pass(fault.kind, call, around) : attempt(call.effect)
  }
}

async function pass(kind: FaultKind, call: PortCall, around: Surroundings): Promise<Passage> {
  const { clock, stripe } = around
  const atGateway = call.method.startsWith('gateway.')
  switch (kind) {
    case 'not applied':
    case 'answer lost':
    case 'crash before':
    case 'crash after':
    case 'duplicated':
      return plainFaults[kind](call)
    case 'throttled':
      return atGateway ? onTheWire('rate limit', call, stripe) : attempt(call.failure)
    case 'conflict':
      if (atGateway) return onTheWire('key in use', call, stripe)
      if (call.method !== 'records.commit') return attempt(call.failure)
      await writeElsewhere(call, around.records)
      return attempt(call.effect)
    case 'delayed': {
      const answer = await attempt(call.effect)
      clock.advance(DELAY)
      return answer
    }
    case 'overtaken': {
      const before = async () => {
        clock.advance(DELAY)
        await around.overtake()
      }
      if (atGateway) return onTheWire({ before }, call, stripe)
      await before()
      return attempt(call.effect)
    }
    case 'event first':
      return onTheWire({ after: around.deliver }, call, stripe)
    case 'late':
    case 'locked':
    case 'saved 500':
    case 'saved 500 after the effect':
      return onTheWire(kind, call, stripe)
  }
}

/** The call meets the fault on the wire, so that the adapter itself reads what becomes of it; one from its cache meets nothing. */
async function onTheWire(fault: WireFault, call: PortCall, stripe: WorldStripe): Promise<Passage> {
  stripe.faultNext(fault)
  const answer = await attempt(call.effect)
  return stripe.takeFault() === undefined ? answer : attempt(call.failure)
}

/**
 * Another writer was there first: a purchase that came to nothing, one that was given up, or a projection of the same. Of a
 * commit for several slots it was there for the last, so that the others can still be had.
 */
async function writeElsewhere(call: PortCall, records: InMemoryBillingRecords): Promise<void> {
  const before = records.save()
  // Done once for a look at what it writes, and undone.
  await attempt(call.effect)
  const written = records.save().slots.filter((slot) => !before.slots.some((own) => isDeepStrictEqual(own, slot)))
  records.load(before)
  const last = written.at(-1)
  if (!last) return
  const current = before.slots.find(({ organizationId, product }) => {
    return organizationId === last.organizationId && product === last.product
  })
  records.overwrite(writtenAgain(current ?? emptySlot(last.organizationId, last.product)))
}

function writtenAgain(slot: Slot): Slot {
  if (isFree(slot)) return { ...slot, n: slot.n + 1, rev: slot.rev + 2 }
  if (!slot.claim) return { ...slot, rev: slot.rev + 1 }
  return { ...slot, rev: slot.rev + 1, claim: { ...slot.claim, leaseUntil: 0 } }
}
