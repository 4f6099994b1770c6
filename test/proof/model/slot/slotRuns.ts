import { at } from '../at.ts'
import { idleCancel, idleChange, idleHook, idleWorker, slotOf, subscriptionOf } from './slotCodes.ts'
import type { Bounds, Slot, State, Status, Subscription } from './slotState.ts'

/** A slot that was never subscribed, and no invocation has begun. */
export function initialState({ workers, hooks, cancels, changes, faults, hands }: Bounds): State {
  return {
    now: 0,
    faults,
    hands,
    unwanted: false,
    unasked: false,
    slot: slotOf({
      state: 'free',
      n: 0,
      rev: 0,
      leased: false,
      first: 0,
      last: 0,
      wants: 0,
      savedAt: -1,
      sub: -1,
      seen: 'ended',
      covered: 0,
    }),
    keys: [],
    subs: [],
    wire: [],
    workers: Array.from({ length: workers }, () => idleWorker),
    hooks: Array.from({ length: hooks }, () => idleHook),
    cancels: Array.from({ length: cancels }, () => idleCancel),
    changes: Array.from({ length: changes }, () => idleChange),
  }
}

/**
 * The state as text, alike for states that differ only in which invocation is which. A slot that an invocation read counts
 * by how far it lags behind the stored one, not by its `rev`.
 */
export function keyOf(state: State): string {
  const { now, faults, hands, unwanted, unasked, slot, keys, subs, wire, workers, hooks, cancels, changes } = state
  const lag = (read: Slot | null) => (read ? slot.rev - read.rev : '')
  const waiting = workers.map((worker, index) => {
    const request = worker.step === 'wait' ? wire.find(({ from }) => from === index) : undefined
    return `${worker.code}${lag(worker.slot)}${request ? `<${request.code}` : ''}`
  })
  const left = wire.filter(({ from }) => from < 0).map(({ code }) => code)
  return [
    `${now}${faults}${hands}${unwanted ? '!' : ''}${unasked ? '?' : ''}${slot.code}`,
    codes(keys),
    codes(subs),
    left.length > 1 ? left.sort().join() : left.join(),
    waiting.sort().join(),
    sorted(hooks.map(({ code, slot: read }) => `${code}${lag(read)}`)),
    sorted(cancels.map(({ code, slot: read }) => `${code}${lag(read)}`)),
    sorted(changes.map(({ code, slot: read }) => `${code}${lag(read)}`)),
  ].join('|')
}

const codes = (list: readonly { code: string }[]) => list.map(({ code }) => code).join()
const sorted = (list: string[]) => (list.length > 1 ? list.sort().join() : list.join())

/** The latest status. */
export function statusOf({ history }: Subscription): Status {
  return at(history, history.length - 1)
}

/** The gateway changes a subscription; every change is an event that it owes from then on. */
export function changed(subs: readonly Subscription[], index: number, status: Status): readonly Subscription[] {
  const subscription = at(subs, index)
  return subs.with(index, subscriptionOf({ ...subscription, history: [...subscription.history, status] }))
}

/** Cancelling ends whatever has not ended; 404 for what has counts as done. */
export function ended(subs: readonly Subscription[], index: number): readonly Subscription[] {
  return statusOf(at(subs, index)) === 'ended' ? subs : changed(subs, index, 'ended')
}

/** The service ends a subscription that it takes for a surplus of its own. */
export function removed({ subs, unasked }: State, index: number): Pick<State, 'subs' | 'unasked'> {
  const subscription = at(subs, index)
  return { subs: ended(subs, index), unasked: unasked || (subscription.byHand && statusOf(subscription) !== 'ended') }
}
