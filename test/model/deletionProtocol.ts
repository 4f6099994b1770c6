import { at } from './at.ts'
import type { Model, Visit } from './explore.ts'
import type { DeletionGuard } from './guards.ts'

/** What must hold of an organization that is deleted, in every state, by what its breach is called. */
export type DeletionViolation = 'something is sold to what is being deleted' | 'erased though it was restored'

/** Invocations of one run. */
export interface DeletionBounds {
  buyers: number
  deleters: number
  restorers: number
  erasers: number
}

type Step = 'idle' | 'has read' | 'began' | 'done'

interface DeletionState {
  /** `erasing` can no longer be undone. */
  readonly organization: 'open' | 'deleting' | 'erasing' | 'erased'
  readonly slots: readonly ('free' | 'pending' | 'held')[]
  readonly buyers: readonly Step[]
  readonly deleters: readonly Step[]
  readonly restorers: readonly Step[]
  readonly erasers: readonly Step[]
  readonly wrong: boolean
}

type Actors = 'buyers' | 'deleters' | 'restorers' | 'erasers'

/**
 * One organization with two products that owners delete and restore while others buy and the schedule erases, without some guards. Time is
 * not in it: the erasure may be due at once. What an invocation does after a crash is: every state may be its last.
 */
export function deletionProtocol(
  { buyers, deleters, restorers, erasers }: DeletionBounds,
  guards: readonly DeletionGuard[] = [],
): Model<DeletionState> {
  const idle = (count: number): Step[] => Array.from({ length: count }, () => 'idle')
  return {
    initial: {
      organization: 'open',
      slots: ['free', 'free'],
      ...{ buyers: idle(buyers), deleters: idle(deleters), restorers: idle(restorers), erasers: idle(erasers) },
      wrong: false,
    },
    key: (state) => JSON.stringify(Object.values(state)),
    violation({ organization, slots, wrong }) {
      if (wrong) return 'erased though it was restored'
      const isSold = slots.some((slot) => slot !== 'free')
      return isSold && organization !== 'open' ? 'something is sold to what is being deleted' : undefined
    },
    next(state, visit) {
      state.slots.forEach((slot, index) => {
        const become = (next: 'free' | 'held') =>
          visit(`slot ${index} becomes ${next}`, { ...state, slots: state.slots.with(index, next) })
        if (slot === 'pending') become('held')
        if (slot !== 'free') become('free')
      })
      for (const kind of ['buyers', 'deleters', 'restorers', 'erasers'] as const) {
        state[kind].forEach((step, index) => {
          act(state, { kind, index, step }, new Set(guards), visit)
        })
      }
    },
  }
}

function act(
  state: DeletionState,
  { kind, index, step }: { kind: Actors; index: number; step: Step },
  without: ReadonlySet<DeletionGuard>,
  visit: Visit<DeletionState>,
): void {
  const { organization, slots } = state
  const isFree = slots.every((slot) => slot === 'free')
  const to = (label: string, next: Step, change: Partial<DeletionState> = {}) =>
    visit(`${kind} ${index} ${label}`, { ...state, ...change, [kind]: state[kind].with(index, next) })
  /** A write with its condition; it is overtaken where the condition does not hold. */
  const write = (label: string, holds: boolean, change: Partial<DeletionState>, next: Step = 'done') =>
    holds ? to(label, next, change) : to('is overtaken', 'done')

  if (kind === 'buyers') {
    const product = index % slots.length
    const mayBuy = at(slots, product) === 'free'
    if (step === 'idle') to('reads', organization === 'open' && mayBuy ? 'has read' : 'done')
    const isOpen = organization === 'open' || without.has('claimed only while nothing is being deleted')
    if (step === 'has read') write('claims', isOpen && mayBuy, { slots: slots.with(product, 'pending') })
  }
  if (kind === 'deleters') {
    if (step === 'idle') to('reads', organization === 'open' && isFree ? 'has read' : 'done')
    const mayDelete = isFree || without.has('deleted only while every slot is free')
    if (step === 'has read') write('schedules', organization === 'open' && mayDelete, { organization: 'deleting' })
  }
  if (kind === 'restorers') {
    if (step === 'idle') to('reads', organization === 'deleting' ? 'has read' : 'done')
    const mayRestore = organization === 'deleting' || without.has('restored only while the erasure has not begun')
    if (step === 'has read') write('restores', mayRestore && organization !== 'erased', { organization: 'open' })
  }
  if (kind === 'erasers') {
    if (step === 'idle') to('reads', organization === 'deleting' || organization === 'erasing' ? 'has read' : 'done')
    const mayBegin =
      organization === 'deleting' || organization === 'erasing' || without.has('begun only where it was not restored')
    if (step === 'has read')
      write('begins', mayBegin, { organization: 'erasing', wrong: organization === 'open' }, 'began')
    // Members and invitations are erased from here on.
    if (step === 'began') to('erases', 'done', { organization: 'erased', wrong: organization === 'open' })
  }
}
