import type { Assumption, SlotGuard } from '../guards/guards.ts'
import { doneWorker, workerOf } from './slotCodes.ts'
import { leaseReleased } from './slotDecisions.ts'
import { written } from './slotProjection.ts'
import type { Slot, SlotModelOptions, State, Worker } from './slotState.ts'

/** One checkout invocation that is about to take a step. */
export interface Turn {
  state: State
  worker: Worker
  slot: Slot
  index: number
  without: SlotModelOptions['without']
  /** The invocation's next step, and what else it changes. */
  to(label: string, next: Worker, change?: Partial<State>): void
}

/** The same invocation at another step. */
export function moved(worker: Worker, step: Worker['step'], answer = worker.answer): Worker {
  return workerOf({ ...worker, step, answer })
}

/** Whether a guard is taken away. */
export function has(without: Turn['without'], guard: SlotGuard | Assumption): boolean {
  return without.has(guard)
}

/** Frees the slot, if it still stands as claimed. */
export function settle({ state, without, to }: Turn, label: string, next: Slot): void {
  const stored = written(state.slot, next, has(without, 'settle on the rev of the claim'))
  if (stored) to(label, doneWorker, { slot: stored, faults: state.faults })
  else to('lost the slot', doneWorker, { faults: state.faults })
}

/** The outcome is not known: the lease ends, and the next request may take the purchase over. */
export function giveUp(
  { state, slot, to }: Turn,
  why: string,
  learned: Parameters<typeof leaseReleased>[1] = {},
): void {
  const stored = written(state.slot, leaseReleased(slot, learned), false)
  to(`${why}: stays pending`, doneWorker, { slot: stored ?? state.slot, faults: state.faults })
}

/** The slot came free within a request that still wants to buy. */
export function buyAnew({ worker, to }: Turn, label: string, freed: Slot, change: Partial<State>): void {
  const next = workerOf({ ...worker, step: 'read', slot: freed, attempts: 0, again: true, answer: null })
  to(label, worker.again || worker.wants === 'nothing' ? doneWorker : next, change)
}
