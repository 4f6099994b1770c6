import type { Model, Visit } from './explore.ts'
import type { SwitchGuard } from './guards/guards.ts'
import { buy } from './switchBuyer.ts'
import {
  gatewayOf,
  initialSwitchState,
  type Operator,
  type SwitchBounds,
  type SwitchSlot,
  type SwitchState,
  type SwitchViolation,
  switchKeyOf,
  type Without,
  wantedBy,
} from './switchState.ts'

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
  if (wrong) return wrong
  // A claim that crashed before its second read may be at another gateway: nothing was sent for it.
  const misplaced = slots.some(({ sent, terms }) => sent && gatewayOf(terms) !== gatewayOf(account))
  return misplaced ? 'a slot is held at another gateway' : undefined
}

/** A purchase settles, is given up, or ends: whoever does that writes the slot by its rev and reads no account. */
function endSlot(state: SwitchState, slot: SwitchSlot, index: number, visit: Visit<SwitchState>): void {
  const become = (label: string, next: Pick<SwitchSlot, 'state' | 'sent'>) =>
    visit(`slot ${index} ${label}`, {
      ...state,
      slots: state.slots.with(index, { ...slot, ...next, rev: slot.rev + 1 }),
    })
  if (slot.state === 'pending' && slot.sent) become('settles', { state: 'held', sent: true })
  if (slot.state !== 'free') become('is freed', { state: 'free', sent: false })
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
  const wrong = state.account === operator.terms ? state.wrong : 'the audit log names other terms than were left'
  to(
    `switches from ${operator.terms} to ${wanted}`,
    { step: 'done' },
    { account: wanted, before: state.account, wrong },
  )
}
