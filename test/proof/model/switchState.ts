import type { SwitchGuard } from './guards/guards.ts'

/** Invocations of one run. */
export interface SwitchBounds {
  /** Checkouts, in turn for two products. */
  workers: number
  /** Operators' commands, in turn to an invoice in 30 days, to one in 14, and to the card. */
  switches: number
}

/** The guards that are taken away. */
export type Without = ReadonlySet<SwitchGuard>

/** How an organization pays: by card, or against an invoice that is due after so many days. */
export type Terms = 'card' | 'invoice 30' | 'invoice 14'

/** The slot of one product; `terms` are those of its latest purchase, and `sent` whether that may have been sent. */
export interface SwitchSlot {
  readonly state: 'free' | 'pending' | 'held'
  readonly sent: boolean
  readonly rev: number
  readonly terms: Terms
}

/**
 * A checkout, with what it read: the account first, the slot after it. It claims a free slot or takes a pending one over, reads both again,
 * and sends or gives the claim back.
 */
export interface Buyer {
  readonly step:
    | 'idle'
    | 'read account'
    | 'found free'
    | 'found pending'
    | 'claimed'
    | 'took over'
    | 'overtaken'
    | 'done'
  readonly terms: Terms
  readonly rev: number
}

/** An operator's command, with the terms that it read. */
export interface Operator {
  readonly step: 'idle' | 'read account' | 'read slots' | 'done'
  readonly terms: Terms
}

/** What must hold of the gateway of an organization in every state, by what its breach is called. */
export type SwitchViolation =
  | 'a slot is held at another gateway'
  | 'sold on terms that were changed'
  | 'freed though it was sent'
  | 'the audit log names other terms than were left'

/** The account, its slots, and everyone at work. */
export interface SwitchState {
  readonly account: Terms
  /** The account before its last change: what a read that is not in one transaction with the slot may return still. */
  readonly before: Terms
  readonly slots: readonly SwitchSlot[]
  readonly buyers: readonly Buyer[]
  readonly operators: readonly Operator[]
  /** What the last step did that may not be done. */
  readonly wrong: SwitchViolation | undefined
}

/** An organization that pays by card and has bought nothing. */
export function initialSwitchState({ workers, switches }: SwitchBounds): SwitchState {
  const free: SwitchSlot = { state: 'free', sent: false, rev: 0, terms: 'card' }
  return {
    account: 'card',
    before: 'card',
    slots: [free, free],
    buyers: Array.from({ length: workers }, () => ({ step: 'idle', terms: 'card', rev: 0 })),
    operators: Array.from({ length: switches }, () => ({ step: 'idle', terms: 'card' })),
    wrong: undefined,
  }
}

/** The terms that an operator's command asks for. */
export function wantedBy(operator: number): Terms {
  const wanted = ['invoice 30', 'invoice 14', 'card'] as const
  return wanted[operator % wanted.length] ?? 'card'
}

/** The gateway of the terms. */
export function gatewayOf(terms: Terms): 'card' | 'invoice' {
  return terms === 'card' ? 'card' : 'invoice'
}

/** The state as text. */
export function switchKeyOf({ account, before, slots, buyers, operators, wrong }: SwitchState): string {
  return [
    account,
    before,
    slots.map(({ state, sent, rev, terms }) => `${state}${sent}${rev}${terms}`).join(),
    buyers.map(({ step, terms, rev }) => `${step}${terms}${rev}`).join(),
    operators.map(({ step, terms }) => `${step}${terms}`).join(),
    wrong ?? '',
  ].join('|')
}
