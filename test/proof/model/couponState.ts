import { at } from './at.ts'
import type { CouponGuard } from './guards/guards.ts'

/** What must hold of the coupon in every state, by what its breach is called. */
export type CouponViolation =
  | 'the coupon is used twice'
  | 'the coupon is leaked'
  | 'a purchase with the coupon is not recorded'
  | 'a decline uses the coupon up'
  | 'a purchase is ended that was paid'
  | 'a buyer is cut off who may be authenticating'

/** Invocations, faults and time of one run; a lease lasts one tick. */
export interface CouponBounds {
  /** Checkouts of one user with one coupon, in turn for each organization. */
  workers: number
  /** Two where left out. */
  organizations?: 1 | 2
  hooks: number
  faults: number
  ticks: number
}

/** The slot of one organization. */
export interface CouponSlot {
  readonly state: 'free' | 'pending' | 'incomplete' | 'held'
  readonly n: number
  readonly rev: number
  readonly leased: boolean
  /** Whether the purchase is made with the coupon. */
  readonly coupon: boolean
}

/** The guards that are taken away. */
export type Without = ReadonlySet<CouponGuard>

/** Which purchase of which organization. */
export interface Holder {
  readonly organization: number
  readonly n: number
}

/** The one redemption of the coupon, with the purchase that holds it. */
export type Redemption = (Holder & { readonly state: 'reserved' | 'applied' }) | null

/**
 * What became of a purchase at the gateway. `incomplete` waits for its buyer to authenticate. `voided` has not ended, but its invoice can no
 * longer be paid; `unpaid` has ended; `refused` never began.
 */
export type Fate = 'live' | 'incomplete' | 'declined' | 'voided' | 'unpaid' | 'refused'

/** A purchase that the gateway executed, with or without the coupon. */
export interface GatewayPurchase extends Holder {
  readonly fate: Fate
  readonly coupon: boolean
}

/** A checkout, with the slot as it read or wrote it last and what it heard of the purchase. */
export interface CouponWorker {
  readonly step:
    | 'idle'
    | 'read'
    | 'resume'
    | 'pay'
    | 'void'
    | 'stop'
    | 'record'
    | 'reserve'
    | 'send'
    | 'answered'
    | 'canceled'
    | 'release'
    | 'done'
  readonly slot: CouponSlot | null
  readonly fate: Fate | null
  /** Has moved the fence of an open invoice. */
  readonly fenced: boolean
}

/** A delivery of an event, with the slot as it read it and the purchase as it fetched it. */
export interface CouponHook extends Holder {
  readonly step: 'idle' | 'read' | 'fetched' | 'done'
  readonly slot: CouponSlot | null
  readonly fate: Fate | null
}

/** Both slots, the redemption, the gateway and everyone at work. */
export interface CouponState {
  readonly now: number
  readonly faults: number
  readonly slots: readonly CouponSlot[]
  readonly redemption: Redemption
  readonly purchases: readonly GatewayPurchase[]
  /** What must never happen, if it did; null if it did not. */
  readonly broken: CouponViolation | null
  readonly workers: readonly CouponWorker[]
  readonly hooks: readonly CouponHook[]
}

/** Not invoked yet. */
const idleCouponWorker: CouponWorker = { step: 'idle', slot: null, fate: null, fenced: false }
/** Answered, or crashed. */
export const doneCouponWorker: CouponWorker = { step: 'done', slot: null, fate: null, fenced: false }
/** Not delivered yet. */
const idleCouponHook: CouponHook = { step: 'idle', slot: null, fate: null, organization: 0, n: 0 }
/** Answered, or crashed. */
export const doneCouponHook: CouponHook = { step: 'done', slot: null, fate: null, organization: 0, n: 0 }

/** A slot of each organization that was never subscribed, and a coupon that no purchase holds. */
export function initialCouponState({ workers, organizations = 2, hooks, faults }: CouponBounds): CouponState {
  const free: CouponSlot = { state: 'free', n: 0, rev: 0, leased: false, coupon: false }
  return {
    now: 0,
    faults,
    slots: Array.from({ length: organizations }, () => free),
    redemption: null,
    purchases: [],
    broken: null,
    workers: Array.from({ length: workers }, () => idleCouponWorker),
    hooks: Array.from({ length: hooks }, () => idleCouponHook),
  }
}

/** Checkouts take turns between the organizations. */
export function organizationOf({ slots }: Pick<CouponState, 'slots'>, worker: number): number {
  return worker % slots.length
}

/** The state as text, alike for states that differ only in which invocation is which, and by how far a read slot lags behind. */
export function couponKeyOf({
  now,
  faults,
  slots,
  redemption,
  purchases,
  broken,
  workers,
  hooks,
}: CouponState): string {
  const read = (slot: CouponSlot | null, organization: number) =>
    slot ? `${slotText(slot)}${at(slots, organization).rev - slot.rev}` : ''
  const worker = ({ step, slot, fate, fenced }: CouponWorker, index: number) =>
    `${organizationOf({ slots }, index)}${step.slice(0, 3)}${read(slot, organizationOf({ slots }, index))}${fate?.[0] ?? ''}${fenced ? 'F' : ''}`
  const hook = ({ step, slot, fate, organization, n }: CouponHook) =>
    `${step[0]}${organization}${n}${read(slot, organization)}${fate?.[0] ?? ''}`
  return [
    `${now}${faults}${broken ? '!' : ''}`,
    slots.map(slotText).join(),
    redemption ? `${redemption.state[0]}${redemption.organization}${redemption.n}` : '',
    purchases.map(({ organization, n, coupon, fate }) => `${organization}${n}${coupon ? 'C' : ''}${fate[0]}`).join(),
    workers.map(worker).sort().join(),
    hooks.map(hook).sort().join(),
  ].join('|')
}

function slotText({ state, n, leased, coupon }: CouponSlot): string {
  return `${state[0]}${n}${leased ? 'L' : ''}${coupon ? 'C' : ''}`
}

/** Whether this very purchase holds the coupon. */
export function isHolder(redemption: Redemption, { organization, n }: Holder): boolean {
  return redemption?.organization === organization && redemption.n === n
}

/** What the gateway executed of a purchase, if anything. */
export function purchaseAt(purchases: readonly GatewayPurchase[], { organization, n }: Holder) {
  return purchases.find((purchase) => purchase.organization === organization && purchase.n === n)
}

/** The same purchases with another fate for one of them. */
export function withFate(
  purchases: readonly GatewayPurchase[],
  { organization, n, coupon }: Omit<GatewayPurchase, 'fate'>,
  fate: Fate,
): GatewayPurchase[] {
  const others = purchases.filter((purchase) => purchase.organization !== organization || purchase.n !== n)
  return [...others, { organization, n, coupon, fate }].sort((a, b) => a.organization - b.organization || a.n - b.n)
}

/** What a transaction does to an existing redemption. */
export type Change = 'apply' | 'release' | null

/** What a subscription's state does to the redemption of its slot. */
export function changeAfter(slot: CouponSlot, fate: Fate): Change {
  if (!slot.coupon) return null
  if (fate === 'unpaid') return 'release'
  return slot.state === 'pending' ? 'apply' : null
}

/** The one transaction of slot and redemption: what it changes, or undefined where a condition fails. */
export function transaction(
  state: CouponState,
  organization: number,
  next: CouponSlot,
  change: Change,
): Pick<CouponState, 'slots' | 'redemption'> | undefined {
  if (at(state.slots, organization).rev !== next.rev - 1) return undefined
  const holder = { organization, n: next.n }
  const held = isHolder(state.redemption, holder)
  if (change === 'release' && !held) return undefined
  if (change === 'apply' && state.redemption !== null && !held) return undefined
  const after: Redemption = change === 'apply' ? { ...holder, state: 'applied' } : null
  return { slots: state.slots.with(organization, next), redemption: change === null ? state.redemption : after }
}

/** Pending slot -> free, without its coupon. */
export function freed(slot: CouponSlot): CouponSlot {
  return { ...slot, state: 'free', rev: slot.rev + 1, leased: false, coupon: false }
}

/** The slot as the gateway's subscription makes it; the coupon stays named on one that has ended. */
export function projectedCoupon(slot: CouponSlot, fate: Fate): CouponSlot {
  const states = {
    live: 'held',
    incomplete: 'incomplete',
    declined: 'incomplete',
    voided: 'incomplete',
    unpaid: 'free',
    refused: 'free',
  } as const
  return { ...slot, state: states[fate], rev: slot.rev + 1, leased: false }
}

/** A purchase as a trace calls it. */
export function nameOf({ organization, n }: Holder): string {
  return `purchase ${n} of org${organization}`
}
