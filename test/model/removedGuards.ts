import type { CouponViolation } from './couponProtocol.ts'
import type { CouponBounds } from './couponState.ts'
import type { Assumption, CouponGuard, SlotGuard } from './guards.ts'
import type { SlotViolation } from './slotHealing.ts'
import type { Bounds } from './slotState.ts'

interface Removal<Kind> {
  bounds: Kind extends SlotViolation ? Bounds : CouponBounds
  /** What goes wrong without it, and how many steps the shortest way there takes. */
  kind: Kind
  steps: number
}

const slot = (workers: number, hooks: number, cancels: number, faults: number, ticks: number): Bounds => {
  return { workers, hooks, cancels, faults, ticks }
}
const coupon = (workers: number, hooks: number, faults: number, ticks: number): CouponBounds => {
  return { workers, hooks, faults, ticks }
}

/** The bounds within which all guards together are shown to hold. */
export const guardedSlots = [
  { bounds: slot(2, 1, 1, 1, 4), states: 141_682, transitions: 391_259, depth: 26 },
  { bounds: slot(2, 2, 1, 1, 1), states: 289_592, transitions: 971_245, depth: 26 },
  { bounds: slot(2, 1, 0, 2, 3), states: 214_839, transitions: 602_345, depth: 26 },
  { bounds: slot(3, 0, 0, 2, 4), states: 221_101, transitions: 618_283, depth: 31 },
  { bounds: slot(3, 1, 1, 0, 4), states: 38_552, transitions: 113_853, depth: 25 },
] as const

/** The same for the coupon. */
export const guardedCoupons = [
  { bounds: coupon(3, 1, 0, 2), states: 351_399, transitions: 1_228_024, depth: 21 },
  { bounds: coupon(2, 2, 1, 1), states: 141_464, transitions: 499_280, depth: 16 },
] as const

/** Every guard of the slot, each taken away alone. */
export const slotRemovals: Readonly<Record<SlotGuard | Assumption, Removal<SlotViolation>>> = {
  'keys come from the claim': { bounds: slot(2, 0, 0, 1, 3), kind: 'two live subscriptions', steps: 7 },
  'send only while the lease lasts': { bounds: slot(2, 0, 0, 1, 4), kind: 'two live subscriptions', steps: 12 },
  'settle on the rev of the claim': {
    bounds: slot(2, 2, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
    steps: 13,
  },
  'unknown is never a refusal': { bounds: slot(2, 0, 0, 1, 2), kind: 'two live subscriptions', steps: 9 },
  'unsaved rejection after an earlier attempt is unknown': {
    bounds: slot(2, 0, 0, 2, 2),
    kind: 'two live subscriptions',
    steps: 12,
  },
  'replay only under 20 h, list after': { bounds: slot(2, 0, 0, 0, 4), kind: 'two live subscriptions', steps: 12 },
  'list, never search': { bounds: slot(2, 0, 0, 1, 4), kind: 'two live subscriptions', steps: 14 },
  'quiet period before giving up': { bounds: slot(3, 0, 0, 0, 4), kind: 'two live subscriptions', steps: 16 },
  'the quiet period has passed before the list is read': {
    bounds: slot(3, 0, 0, 1, 4),
    kind: 'two live subscriptions',
    steps: 17,
  },
  'await or abort before returning': { bounds: slot(2, 0, 0, 1, 4), kind: 'two live subscriptions', steps: 14 },
  'a replayed answer is fetched anew': {
    bounds: slot(2, 1, 0, 1, 2),
    kind: 'the slot differs from the gateway after healing',
    steps: 11,
  },
  'cancel a declined purchase before freeing': {
    bounds: slot(2, 0, 0, 2, 1),
    kind: 'two live subscriptions',
    steps: 10,
  },
  'cancel at the gateway first': {
    bounds: slot(2, 0, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
    steps: 7,
  },
  'the projection fetches the latest': {
    bounds: slot(1, 1, 0, 1, 1),
    kind: 'the slot differs from the gateway after healing',
    steps: 10,
  },
  'the projection compares and sets': {
    bounds: slot(2, 2, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
    steps: 13,
  },
  'the projection is guarded by subscription id': {
    bounds: slot(2, 1, 1, 0, 1),
    kind: 'the slot differs from the gateway after healing',
    steps: 15,
  },
  'a stored failure is rolled forward at once or never': {
    bounds: slot(2, 0, 0, 2, 4),
    kind: 'two live subscriptions',
    steps: 15,
  },
}

/** Every guard of the coupon, each taken away alone. */
export const couponRemovals: Readonly<Record<CouponGuard, Removal<CouponViolation>>> = {
  'reserved in the transaction of the claim': {
    bounds: coupon(3, 0, 0, 1),
    kind: 'the coupon is used twice',
    steps: 10,
  },
  'released in the transaction that frees the slot': {
    bounds: coupon(1, 0, 0, 1),
    kind: 'the coupon is leaked',
    steps: 4,
  },
  'never freed by an expiry': { bounds: coupon(2, 0, 0, 1), kind: 'the coupon is used twice', steps: 8 },
  'buy anew only on a projection that stands': {
    bounds: coupon(3, 1, 0, 1),
    kind: 'the coupon is leaked',
    steps: 12,
  },
}
