import type { CouponBounds, CouponViolation } from './couponState.ts'
import type { Assumption, CouponGuard, SlotGuard, SwitchGuard } from './guards.ts'
import type { SlotViolation } from './slotHealing.ts'
import type { Bounds } from './slotState.ts'
import type { SwitchBounds, SwitchViolation } from './switchState.ts'

interface Removal<Kind> {
  bounds: Kind extends SlotViolation ? Bounds : Kind extends SwitchViolation ? SwitchBounds : CouponBounds
  /** What goes wrong without it. */
  kind: Kind
}

const slot = (
  workers: number,
  hooks: number,
  cancels: number,
  faults: number,
  ticks: number,
  hands = 0,
  changes = 0,
): Bounds => {
  return { workers, hooks, cancels, changes, faults, ticks, hands }
}
const coupon = (
  workers: number,
  hooks: number,
  faults: number,
  ticks: number,
  organizations: 1 | 2 = 2,
): CouponBounds => {
  return { workers, organizations, hooks, faults, ticks }
}

/** The bounds within which all guards together are shown to hold. */
export const guardedSlots = [
  { bounds: slot(2, 1, 1, 1, 3) },
  { bounds: slot(2, 2, 1, 0, 1) },
  { bounds: slot(2, 1, 0, 1, 4) },
  { bounds: slot(3, 0, 0, 2, 3) },
  { bounds: slot(1, 2, 1, 1, 1, 1) },
  { bounds: slot(2, 1, 1, 1, 1, 1) },
  { bounds: slot(1, 1, 1, 1, 1, 0, 2) },
] as const

/** The same for the coupon. */
export const guardedCoupons = [
  { bounds: coupon(3, 1, 0, 2) },
  { bounds: coupon(2, 2, 1, 1) },
  { bounds: coupon(3, 1, 1, 1, 1) },
] as const

/** The same for the switch between gateways. */
export const guardedSwitches: readonly { bounds: SwitchBounds }[] = [
  { bounds: { workers: 3, switches: 2 } },
  { bounds: { workers: 2, switches: 3 } },
]

/** Every guard of the slot, each taken away alone. */
export const slotRemovals: Readonly<Record<SlotGuard | Assumption, Removal<SlotViolation>>> = {
  'keys come from the claim': { bounds: slot(1, 1, 0, 1, 1), kind: 'two live subscriptions' },
  'send only while the lease lasts': { bounds: slot(2, 0, 0, 1, 2), kind: 'two live subscriptions' },
  'settle on the rev of the claim': {
    bounds: slot(2, 2, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'unknown is never a refusal': { bounds: slot(2, 0, 0, 1, 1), kind: 'two live subscriptions' },
  'unsaved rejection after an earlier attempt is unknown': {
    bounds: slot(2, 0, 0, 2, 1),
    kind: 'two live subscriptions',
  },
  'replay only under 20 h, list after': { bounds: slot(2, 0, 0, 0, 4), kind: 'two live subscriptions' },
  'only the same request replays': {
    bounds: slot(2, 0, 0, 1, 1),
    kind: 'bought for a request that asked for something else',
  },
  'a stored failure waits for 20 h as well': { bounds: slot(2, 0, 0, 2, 2), kind: 'two live subscriptions' },
  'a sending counts unless its only attempt was rejected': {
    bounds: slot(3, 0, 0, 2, 3),
    kind: 'two live subscriptions',
  },
  'the slot’s own is fetched before another one is judged': {
    bounds: slot(2, 1, 1, 0, 0, 1),
    kind: 'what staff made was removed',
  },
  'the number of the slot’s own is no surplus': {
    bounds: slot(1, 1, 0, 0, 0, 1),
    kind: 'what staff made was removed',
  },
  'list, never search': { bounds: slot(2, 0, 0, 1, 2), kind: 'two live subscriptions' },
  'quiet period before giving up': { bounds: slot(2, 0, 0, 1, 1), kind: 'two live subscriptions' },
  'the quiet period has passed before the list is read': {
    bounds: slot(2, 0, 0, 1, 2),
    kind: 'two live subscriptions',
  },
  'await or abort before returning': { bounds: slot(2, 0, 0, 1, 2), kind: 'two live subscriptions' },
  'a replayed answer is fetched anew': {
    bounds: slot(2, 0, 0, 1, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'cancel a declined purchase before freeing': {
    bounds: slot(1, 1, 0, 1, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'cancel at the gateway first': {
    bounds: slot(2, 0, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'a write that lost fetches anew': {
    bounds: slot(1, 1, 0, 0, 0, 0, 2),
    kind: 'the slot differs from the gateway after healing',
  },
  'the projection fetches the latest': {
    bounds: slot(1, 1, 0, 1, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'the projection compares and sets': {
    bounds: slot(2, 2, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'the projection is guarded by subscription id': {
    bounds: slot(2, 1, 0, 1, 1),
    kind: 'the slot differs from the gateway after healing',
  },
  'a stored failure that was not recorded is rolled forward at once or never': {
    bounds: slot(2, 0, 0, 2, 2),
    kind: 'two live subscriptions',
  },
}

/** Every guard of the coupon, each taken away alone. */
export const couponRemovals: Readonly<Record<CouponGuard, Removal<CouponViolation>>> = {
  'reserved in the transaction of the claim': {
    bounds: coupon(3, 0, 0, 1),
    kind: 'the coupon is used twice',
  },
  'released in the transaction that frees the slot': {
    bounds: coupon(1, 0, 0, 1),
    kind: 'the coupon is leaked',
  },
  'never freed by an expiry': { bounds: coupon(2, 0, 0, 1), kind: 'the coupon is used twice' },
  'buy anew only on a projection that was committed': {
    bounds: coupon(3, 1, 0, 1),
    kind: 'the coupon is leaked',
  },
  'a declined purchase keeps its coupon': { bounds: coupon(1, 0, 0, 1), kind: 'a decline uses the coupon up' },
  'only a declined purchase makes room for another coupon': {
    bounds: coupon(2, 0, 0, 1, 1),
    kind: 'a buyer is cut off who may be authenticating',
  },
  'what was paid makes no room for another coupon': {
    bounds: coupon(3, 0, 0, 1, 1),
    kind: 'a purchase is ended that was paid',
  },
}

/** Every guard of the switch between gateways, each taken away alone. */
export const switchRemovals: Readonly<Record<SwitchGuard, Removal<SwitchViolation>>> = {
  'sent only while the account is as it was read': {
    bounds: { workers: 1, switches: 1 },
    kind: 'sold on terms that were changed',
  },
  'the claim and the account are read in one transaction': {
    bounds: { workers: 1, switches: 1 },
    kind: 'sold on terms that were changed',
  },
  'a claim is given back on its rev': {
    bounds: { workers: 3, switches: 2 },
    kind: 'freed though it was sent',
  },
  'replayed only on the terms of its claim': {
    bounds: { workers: 3, switches: 1 },
    kind: 'sold on terms that were changed',
  },
  'switched only while every slot is free': {
    bounds: { workers: 1, switches: 1 },
    kind: 'a slot is held at another gateway',
  },
  'switched only from what was read': {
    bounds: { workers: 0, switches: 2 },
    kind: 'the audit log names other terms than were left',
  },
}
