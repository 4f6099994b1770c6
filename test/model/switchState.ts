import type { SwitchGuard } from './guards.ts'

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

/** The slot of one product; `terms` are those of its latest purchase. */
export interface SwitchSlot {
  readonly state: 'free' | 'pending' | 'held'
  readonly rev: number
  readonly terms: Terms
}

/** A checkout, with what it read: the account first, the slot after it. */
export interface Buyer {
  readonly step: 'idle' | 'read account' | 'read slot' | 'done'
  readonly terms: Terms
  readonly rev: number
}

/** An operator's command, with the terms that it read. */
export interface Operator {
  readonly step: 'idle' | 'read account' | 'read slots' | 'done'
  readonly terms: Terms
}

/** The account, its slots, and everyone at work. */
export interface SwitchState {
  readonly account: Terms
  readonly slots: readonly SwitchSlot[]
  readonly buyers: readonly Buyer[]
  readonly operators: readonly Operator[]
  /** What the last step did that may not be done. */
  readonly wrong: 'sold' | 'logged' | undefined
}

/** An organization that pays by card and has bought nothing. */
export function initialSwitchState({ workers, switches }: SwitchBounds): SwitchState {
  const free: SwitchSlot = { state: 'free', rev: 0, terms: 'card' }
  return {
    account: 'card',
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
export function switchKeyOf({ account, slots, buyers, operators, wrong }: SwitchState): string {
  return [
    account,
    slots.map(({ state, rev, terms }) => `${state}${rev}${terms}`).join(),
    buyers.map(({ step, terms, rev }) => `${step}${terms}${rev}`).join(),
    operators.map(({ step, terms }) => `${step}${terms}`).join(),
    wrong ?? '',
  ].join('|')
}
