import { at } from './at.ts'
import type { Visit } from './explore.ts'
import type { Buyer, SwitchSlot, SwitchState, Without } from './switchState.ts'

/** One step of a buyer, who claims or takes over with one write, and sends only after what was read again. */
export function buy(
  state: SwitchState,
  buyer: Buyer,
  index: number,
  without: Without,
  visit: Visit<SwitchState>,
): void {
  const product = index % state.slots.length
  const slot = at(state.slots, product)
  const to = (label: string, next: Partial<Buyer>, change: Partial<SwitchState> = {}) =>
    visit(`buyer ${index} ${label}`, { ...state, ...change, buyers: state.buyers.with(index, { ...buyer, ...next }) })
  const put = (next: Partial<SwitchSlot>) => ({
    slots: state.slots.with(product, { ...slot, ...next, rev: slot.rev + 1 }),
  })
  const isMine = slot.rev === buyer.rev

  if (buyer.step === 'idle') to('reads the account', { step: 'read account', terms: state.account })
  else if (buyer.step === 'read account') {
    if (slot.state === 'held') to('is refused', { step: 'done' })
    else to(`finds slot ${product} ${slot.state}`, { step: `found ${slot.state}`, rev: slot.rev })
  } else if (buyer.step === 'overtaken') {
    const change = put({ state: 'free', sent: false })
    if (isMine) to(`gives slot ${product} back`, { step: 'done' }, change)
    else if (!without.has('a claim is given back on its rev')) to('has lost the slot', { step: 'done' })
    else {
      const wrong = slot.sent ? 'freed though it was sent' : state.wrong
      to(`gives slot ${product} back for another one`, { step: 'done' }, { ...change, wrong })
    }
  } else if (buyer.step !== 'done' && !isMine) to('lost the slot', { step: 'done' })
  else if (buyer.step === 'found free') {
    const change = put({ state: 'pending', sent: false, terms: buyer.terms })
    to(`claims slot ${product}`, { step: 'claimed', rev: slot.rev + 1 }, change)
  } else if (buyer.step === 'found pending') {
    to(`takes slot ${product} over`, { step: 'took over', rev: slot.rev + 1 }, put({}))
  } else if (buyer.step !== 'done') {
    for (const account of accountsRead(state, without)) {
      if (maySend(buyer, slot, account, without)) {
        const wrong = slot.terms === state.account || slot.sent ? state.wrong : 'sold on terms that were changed'
        const slots = state.slots.with(product, { ...slot, sent: true })
        to(`reads ${account}, and sends slot ${product}`, { step: 'done' }, { slots, wrong })
      } else {
        const next = buyer.step === 'claimed' ? 'overtaken' : 'done'
        to(`reads ${account}, and sends nothing`, { step: next })
      }
    }
  }
}

/**
 * What the second read returns of the account. Read alone it may be as it was before a change that the slot shows already: DynamoDB
 * orders a transaction and a read by themselves, not by the time at which each was asked for.
 */
function accountsRead({ account, before }: SwitchState, without: Without) {
  const isAlone = without.has('the claim and the account are read in one transaction')
  return new Set([account, isAlone ? before : account])
}

/** What may be sent is sent in the step of the read: a lease keeps others from taking over in between. */
function maySend(buyer: Buyer, slot: SwitchSlot, account: SwitchState['account'], without: Without): boolean {
  const isAsRead = account === buyer.terms || without.has('sent only while the account is as it was read')
  if (buyer.step === 'claimed') return isAsRead
  return isAsRead && (slot.terms === account || without.has('replayed only on the terms of its claim'))
}
