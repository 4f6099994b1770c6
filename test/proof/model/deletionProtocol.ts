import { at } from './at.ts'
import type { Model, Visit } from './explore.ts'
import type { DeletionGuard } from './guards/guards.ts'

/** What must hold of an organization that is deleted, in every state, by what its breach is called. */
export type DeletionViolation =
  | 'something is sold to what is being deleted'
  | 'freed though it was sent'
  | 'erased though it was restored'

/** Invocations of one run. */
export interface DeletionBounds {
  buyers: number
  deleters: number
  restorers: number
  erasers: number
}

type Step = 'idle' | 'has read' | 'began' | 'done'

/** A buyer claims a free slot, or takes a pending one over; then reads slot and organization again, and sends or gives back. */
type BuyerStep = Step | 'claimed' | 'overtaken'

/** The slot of one product: whose claim it has, and whether that may have been sent. */
interface DeletionSlot {
  readonly state: 'free' | 'pending' | 'held'
  readonly by: number
  readonly sent: boolean
}

const free: DeletionSlot = { state: 'free', by: -1, sent: false }

interface DeletionState {
  /** `erasing` can no longer be undone. */
  readonly organization: Organization
  /** The organization before its last change. */
  readonly before: Organization
  readonly slots: readonly DeletionSlot[]
  readonly buyers: readonly BuyerStep[]
  readonly deleters: readonly Step[]
  readonly restorers: readonly Step[]
  readonly erasers: readonly Step[]
  readonly wrong: DeletionViolation | undefined
}

type Organization = 'open' | 'deleting' | 'erasing' | 'erased'

type Actors = 'deleters' | 'restorers' | 'erasers'

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
      before: 'open',
      slots: [free, free],
      ...{ buyers: idle(buyers), deleters: idle(deleters), restorers: idle(restorers), erasers: idle(erasers) },
      wrong: undefined,
    },
    key: keyOf,
    violation({ organization, slots, wrong }) {
      if (wrong) return wrong
      // A claim that crashed before its second read may be left with it: nothing was sent for it.
      const isSold = slots.some(({ sent }) => sent)
      return isSold && organization !== 'open' ? 'something is sold to what is being deleted' : undefined
    },
    next(state, visit) {
      state.slots.forEach((slot, index) => {
        const become = (next: DeletionSlot) =>
          visit(`slot ${index} becomes ${next.state}`, { ...state, slots: state.slots.with(index, next) })
        if (slot.state === 'pending' && slot.sent) become({ ...slot, state: 'held' })
        if (slot.state !== 'free') become(free)
      })
      state.buyers.forEach((step, index) => {
        buy(state, { index, step }, new Set(guards), visit)
      })
      for (const kind of ['deleters', 'restorers', 'erasers'] as const) {
        state[kind].forEach((step, index) => {
          act(state, { kind, index, step }, new Set(guards), visit)
        })
      }
    },
  }
}

function buy(
  state: DeletionState,
  { index, step }: { index: number; step: BuyerStep },
  without: ReadonlySet<DeletionGuard>,
  visit: Visit<DeletionState>,
): void {
  const { organization, before, slots } = state
  const product = index % slots.length
  const slot = at(slots, product)
  const to = (label: string, next: BuyerStep, change: Partial<DeletionState> = {}) =>
    visit(`buyers ${index} ${label}`, { ...state, ...change, buyers: state.buyers.with(index, next) })
  const put = (next: DeletionSlot) => ({ slots: slots.with(product, next) })
  const isMine = slot.by === index
  const asIfFenced = !without.has('a claim of what is being deleted is given back on its rev')

  if (step === 'idle') to('reads', organization === 'open' && slot.state !== 'held' ? 'has read' : 'done')
  // What others write between a read and this write makes it lose, which is a run without this buyer.
  if (step === 'has read') {
    if (slot.state === 'held') to('is overtaken', 'done')
    else if (slot.state === 'free') to('claims', 'claimed', put({ state: 'pending', by: index, sent: false }))
    else to('takes over', 'claimed', put({ ...slot, by: index }))
  }
  if (step === 'claimed' && !isMine) to('is overtaken', 'done')
  if (step === 'claimed' && isMine) {
    const isAlone = without.has('the claim and the organization are read in one transaction')
    for (const read of new Set([organization, isAlone ? before : organization])) {
      const maySend = read === 'open' || without.has('sent only while nothing is being deleted')
      if (maySend) to(`reads ${read}, and sends`, 'done', put({ ...slot, sent: true }))
      else to(`reads ${read}, and sends nothing`, 'overtaken')
    }
  }
  if (step === 'overtaken') {
    if (!isMine && asIfFenced) to('has lost the slot', 'done')
    // A claim that was taken over loses its lease alone: another request may have sent it before.
    else if (isMine) to('gives back', 'done', slot.sent ? {} : put(free))
    else to('gives back', 'done', { ...put(free), wrong: slot.sent ? 'freed though it was sent' : state.wrong })
  }
}

function keyOf({ organization, before, slots, buyers, deleters, restorers, erasers, wrong }: DeletionState): string {
  const sold = slots.map(({ state, by, sent }) => `${state}${by}${sent}`).join()
  return `${organization} ${before} ${sold} ${buyers} ${deleters} ${restorers} ${erasers} ${wrong}`
}

const wrongWhere = (isWrong: boolean): DeletionViolation | undefined =>
  isWrong ? 'erased though it was restored' : undefined

function act(
  state: DeletionState,
  { kind, index, step }: { kind: Actors; index: number; step: Step },
  without: ReadonlySet<DeletionGuard>,
  visit: Visit<DeletionState>,
): void {
  const { organization, slots } = state
  const isFree = slots.every((slot) => slot.state === 'free')
  const to = (label: string, next: Step, change: Partial<DeletionState> = {}) =>
    visit(`${kind} ${index} ${label}`, {
      ...state,
      before: change.organization ? organization : state.before,
      ...change,
      [kind]: state[kind].with(index, next),
    })
  /** A write with its condition; it is overtaken where the condition does not hold. */
  const write = (label: string, holds: boolean, change: Partial<DeletionState>, next: Step = 'done') =>
    holds ? to(label, next, change) : to('is overtaken', 'done')

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
      write('begins', mayBegin, { organization: 'erasing', wrong: wrongWhere(organization === 'open') }, 'began')
    // Members and invitations are erased from here on.
    if (step === 'began') to('erases', 'done', { organization: 'erased', wrong: wrongWhere(organization === 'open') })
  }
}
