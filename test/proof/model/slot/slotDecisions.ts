import { at } from '../at.ts'
import type { SlotGuard } from '../guards/guards.ts'
import { slotOf } from './slotCodes.ts'
import {
  isLive,
  type Slot,
  type SlotModelOptions,
  type State,
  type Status,
  type Subscription,
  type Wants,
} from './slotState.ts'

/** What a subscription is known to be: its number, its purchase, its status and how many of its changes that covers. */
export interface Seen {
  sub: number
  n: number
  status: Status
  covered: number
}

/** The same, and whether it was ever paid. */
export type Fetched = Seen & { paid: boolean }

/** Free slot -> pending. */
export function claimed(slot: Slot, now: number, wants: Wants = 0): Slot {
  const claim = { leased: true, first: now, last: now, wants, savedAt: -1 }
  return slotOf({ ...slot, ...claim, state: 'pending', n: slot.n + 1, rev: slot.rev + 1 })
}

/** Pending slot -> the same purchase in other hands. */
export function takenOver(slot: Slot, now: number, replay: boolean): Slot {
  return slotOf({ ...slot, rev: slot.rev + 1, leased: true, last: replay ? now : slot.last })
}

/** Pending slot -> the same purchase without its lease, and with what was learned of its key. */
export function leaseReleased(slot: Slot, learned: Partial<Pick<Slot, 'last' | 'savedAt'>> = {}): Slot {
  return slotOf({ ...slot, ...learned, rev: slot.rev + 1, leased: false })
}

const unclaimed = { leased: false, first: 0, last: 0, wants: 0, savedAt: -1 } as const

/** Pending slot -> free; an earlier subscription stays remembered. */
export function released(slot: Slot): Slot {
  return slotOf({ ...slot, ...unclaimed, rev: slot.rev + 1, state: 'free' })
}

/** Any slot -> what the gateway says of its subscription. */
export function projected(slot: Slot, { sub, n, status, covered }: Seen): Slot {
  const state = status === 'ended' ? 'free' : 'held'
  return slotOf({ ...slot, ...unclaimed, state, n: Math.max(slot.n, n), rev: slot.rev + 1, sub, seen: status, covered })
}

/** The same for what settles a purchase: one that ended unpaid was no subscription, and leaves the slot as before. */
export function settledOn(slot: Slot, seen: Fetched): Slot {
  return slot.state === 'pending' && seen.status === 'ended' && !seen.paid ? released(slot) : projected(slot, seen)
}

/** Any slot with its fence moved. */
export function fenced(slot: Slot): Slot {
  return slotOf({ ...slot, rev: slot.rev + 1 })
}

/** What an event comes to before the gateway is asked. `maybe covered` where the gateway's clock may decide so. */
export function beforeFetch(slot: Slot, sub: number, event: number, subscription: Subscription) {
  if (slot.sub === sub) {
    if (slot.seen === 'ended') return 'ignore'
    return event <= slot.covered ? 'maybe covered' : 'fetch'
  }
  const ofPendingPurchase = slot.state === 'pending' && slot.n === subscription.n
  return ofPendingPurchase || !isDeletion(subscription, event) ? 'fetch' : 'ignore'
}

/** One that was never paid expires, which is an update and not a deletion. */
function isDeletion({ history }: Subscription, event: number): boolean {
  const before = history[event - 2]
  return at(history, event - 1) === 'ended' && before !== undefined && isLive(before)
}

/** What a fetched subscription makes of the slot, beside the slot's own where that was fetched. */
export function project(
  slot: Slot,
  latest: Fetched,
  without: SlotModelOptions['without'],
  own?: Seen,
): Slot | 'ignore' | 'fetch_own' | 'surplus' | 'report' {
  if (without.has('the projection is guarded by subscription id' satisfies SlotGuard)) return projected(slot, latest)
  if (slot.state === 'pending' && slot.n === latest.n) {
    if (latest.status === 'ended') return latest.paid ? 'report' : 'ignore'
    return latest.status === 'declined' ? 'ignore' : projected(slot, latest)
  }
  if (slot.sub === latest.sub && slot.state !== 'pending') return projected(slot, latest)
  if (latest.status === 'ended') return 'ignore'
  if (slot.state === 'pending') return 'report'
  if (slot.sub < 0 || slot.seen === 'ended') return projected(slot, latest)
  if (own === undefined) return 'fetch_own'
  const known = without.has('the slot’s own is fetched before another one is judged' satisfies SlotGuard)
  if (own.status === 'ended' && !known) return projected(slot, own)
  if (without.has('the number of the slot’s own is no surplus' satisfies SlotGuard)) return 'surplus'
  return latest.n < slot.n && latest.n !== own.n ? 'surplus' : 'report'
}

/** The gateway's latest word on a subscription. */
export function fetched({ subs }: Pick<State, 'subs'>, sub: number): Fetched {
  const { n, history } = at(subs, sub)
  const paid = history.includes('live')
  return { sub, n, status: at(history, history.length - 1), covered: history.length, paid }
}

/** The gateway's latest word on the slot's own subscription. */
export function fetchedOwn(state: Pick<State, 'subs'>, slot: Slot): Seen | undefined {
  return slot.sub < 0 ? undefined : fetched(state, slot.sub)
}

/** The subscription that the gateway's list shows for a purchase: one that has not ended, if there is one. */
export function listed({ subs }: Pick<State, 'subs'>, n: number): number | undefined {
  const found = subs.flatMap((subscription, index) => (subscription.n === n ? [index] : []))
  return found.find((index) => fetched({ subs }, index).status !== 'ended') ?? found[0]
}
