import { at } from './at.ts'
import type { Model, Visit } from './explore.ts'
import type { SwitchGuard } from './guards.ts'
import {
  type Buyer,
  gatewayOf,
  initialSwitchState,
  type Operator,
  type SwitchBounds,
  type SwitchSlot,
  type SwitchState,
  switchKeyOf,
  type Without,
  wantedBy,
} from './switchState.ts'

/** What must hold of the gateway of an organization in every state, by what its breach is called. */
export type SwitchViolation =
  | 'a slot is held at another gateway'
  | 'sold on terms that were changed'
  | 'the audit log names other terms than were left'

/**
 * One organization that buys two products while operators change how it pays, within `bounds`, without some guards. What an invocation
 * does after a crash is in it: every state may be its last.
 */
export function switchProtocol(bounds: SwitchBounds, guards: readonly SwitchGuard[] = []): Model<SwitchState> {
  const without: Without = new Set(guards)
  return {
    initial: initialSwitchState(bounds),
    key: switchKeyOf,
    violation: judge,
    next(state, visit) {
      state.slots.forEach((slot, index) => {
        endSlot(state, slot, index, visit)
      })
      state.buyers.forEach((buyer, index) => {
        buy(state, buyer, index, without, visit)
      })
      state.operators.forEach((operator, index) => {
        operate(state, operator, index, without, visit)
      })
    },
  }
}

function judge({ account, slots, wrong }: SwitchState): SwitchViolation | undefined {
  if (wrong === 'sold') return 'sold on terms that were changed'
  if (wrong === 'logged') return 'the audit log names other terms than were left'
  const misplaced = slots.some(({ state, terms }) => state !== 'free' && gatewayOf(terms) !== gatewayOf(account))
  return misplaced ? 'a slot is held at another gateway' : undefined
}

/** A purchase settles, is given up, or ends: whoever does that writes the slot by its rev and reads no account. */
function endSlot(state: SwitchState, slot: SwitchSlot, index: number, visit: Visit<SwitchState>): void {
  const become = (label: string, next: SwitchSlot['state']) =>
    visit(`slot ${index} ${label}`, {
      ...state,
      slots: state.slots.with(index, { ...slot, state: next, rev: slot.rev + 1 }),
    })
  if (slot.state === 'pending') become('settles', 'held')
  if (slot.state !== 'free') become('is freed', 'free')
}

function buy(state: SwitchState, buyer: Buyer, index: number, without: Without, visit: Visit<SwitchState>): void {
  const product = index % state.slots.length
  const slot = at(state.slots, product)
  const to = (label: string, next: Partial<Buyer>, change: Partial<SwitchState> = {}) =>
    visit(`buyer ${index} ${label}`, { ...state, ...change, buyers: state.buyers.with(index, { ...buyer, ...next }) })
  if (buyer.step === 'idle') to('reads the account', { step: 'read account', terms: state.account })
  if (buyer.step === 'read account') {
    if (slot.state === 'free') to(`finds slot ${product} free`, { step: 'read slot', rev: slot.rev })
    else to('is refused', { step: 'done' })
  }
  if (buyer.step !== 'read slot') return
  const isUnguarded = without.has('claimed only for the gateway and the terms that were read')
  if (slot.rev !== buyer.rev || !(isUnguarded || state.account === buyer.terms)) {
    to('lost the slot, or the account was changed', { step: 'done' })
    return
  }
  const claimed: SwitchSlot = { state: 'pending', rev: slot.rev + 1, terms: buyer.terms }
  const wrong = state.account === buyer.terms ? state.wrong : 'sold'
  to(`claims slot ${product}`, { step: 'done' }, { slots: state.slots.with(product, claimed), wrong })
}

function operate(
  state: SwitchState,
  operator: Operator,
  index: number,
  without: Without,
  visit: Visit<SwitchState>,
): void {
  const wanted = wantedBy(index)
  const to = (label: string, next: Partial<Operator>, change: Partial<SwitchState> = {}) =>
    visit(`operator ${index} ${label}`, {
      ...state,
      ...change,
      operators: state.operators.with(index, { ...operator, ...next }),
    })
  const isMove = gatewayOf(operator.terms) !== gatewayOf(wanted)
  const isFree = state.slots.every((slot) => slot.state === 'free')
  if (operator.step === 'idle') to('reads the account', { step: 'read account', terms: state.account })
  if (operator.step === 'read account') {
    if (operator.terms === wanted) to('has nothing to do', { step: 'done' })
    else if (isMove && !isFree) to('is refused', { step: 'done' })
    else to('may go on', { step: 'read slots' })
  }
  if (operator.step !== 'read slots') return
  const isLeft = without.has('switched only from what was read') || state.account === operator.terms
  const mayMove = !isMove || isFree || without.has('switched only while every slot is free')
  if (!isLeft || !mayMove) {
    to('was overtaken', { step: 'done' })
    return
  }
  const wrong = state.account === operator.terms ? state.wrong : 'logged'
  to(`switches from ${operator.terms} to ${wanted}`, { step: 'done' }, { account: wanted, wrong })
}
