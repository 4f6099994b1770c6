import type { CouponBounds, CouponViolation } from '../couponState.ts'
import type { SlotViolation } from '../slot/slotHealing.ts'
import type { Bounds } from '../slot/slotState.ts'
import type { SwitchBounds, SwitchViolation } from '../switchState.ts'
import type { Assumption, CouponGuard, SlotGuard, SwitchGuard } from './guards.ts'

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

/** Guards without which the same goes wrong, each with the bounds that show it. */
function leadingTo<Kind, Guard extends string>(
  kind: Kind,
  bounds: Record<Guard, Removal<Kind>['bounds']>,
): Record<Guard, Removal<Kind>>
function leadingTo<Kind>(kind: Kind, bounds: Record<string, Removal<Kind>['bounds']>): Record<string, Removal<Kind>> {
  return Object.fromEntries(Object.entries(bounds).map(([guard, within]) => [guard, { bounds: within, kind }]))
}

/** Every guard of the slot, each taken away alone. */
export const slotRemovals: Readonly<Record<SlotGuard | Assumption, Removal<SlotViolation>>> = {
  ...leadingTo('two live subscriptions', {
    'keys come from the claim': slot(1, 1, 0, 1, 1),
    'send only while the lease lasts': slot(2, 0, 0, 1, 2),
    'unknown is never a refusal': slot(2, 0, 0, 1, 1),
    'unsaved rejection after an earlier attempt is unknown': slot(2, 0, 0, 2, 1),
    'replay only under 20 h, list after': slot(2, 0, 0, 0, 4),
    'a stored failure waits for 20 h as well': slot(2, 0, 0, 2, 2),
    'a sending counts unless its only attempt was rejected': slot(3, 0, 0, 2, 3),
    'list, never search': slot(2, 0, 0, 1, 2),
    'quiet period before giving up': slot(2, 0, 0, 1, 1),
    'the quiet period has passed before the list is read': slot(2, 0, 0, 1, 2),
    'await or abort before returning': slot(2, 0, 0, 1, 2),
    'a stored failure that was not recorded is rolled forward at once or never': slot(2, 0, 0, 2, 2),
  }),
  ...leadingTo('the slot differs from the gateway after healing', {
    'settle on the rev of the claim': slot(2, 2, 1, 0, 1),
    'a replayed answer is fetched anew': slot(2, 0, 0, 1, 1),
    'cancel a declined purchase before freeing': slot(1, 1, 0, 1, 1),
    'cancel at the gateway first': slot(2, 0, 1, 0, 1),
    'a write that lost fetches anew': slot(1, 1, 0, 0, 0, 0, 2),
    'the projection fetches the latest': slot(1, 1, 0, 1, 1),
    'the projection compares and sets': slot(2, 2, 1, 0, 1),
    'the projection is guarded by subscription id': slot(2, 1, 0, 1, 1),
  }),
  ...leadingTo('bought for a request that asked for something else', {
    'only the same request replays': slot(2, 0, 0, 1, 1),
  }),
  ...leadingTo('what staff made was removed', {
    'the slot’s own is fetched before another one is judged': slot(2, 1, 1, 0, 0, 1),
    'the number of the slot’s own is no surplus': slot(1, 1, 0, 0, 0, 1),
  }),
}

/** Every guard of the coupon, each taken away alone. */
export const couponRemovals: Readonly<Record<CouponGuard, Removal<CouponViolation>>> = {
  ...leadingTo('the coupon is used twice', {
    'reserved in the transaction of the claim': coupon(3, 0, 0, 1),
    'never freed by an expiry': coupon(2, 0, 0, 1),
  }),
  ...leadingTo('the coupon is leaked', {
    'released in the transaction that frees the slot': coupon(1, 0, 0, 1),
    'buy anew only on a projection that was committed': coupon(3, 1, 0, 1),
  }),
  ...leadingTo('a decline uses the coupon up', {
    'a declined purchase keeps its coupon': coupon(1, 0, 0, 1),
  }),
  ...leadingTo('a buyer is cut off who may be authenticating', {
    'only a declined purchase makes room for another coupon': coupon(2, 0, 0, 1, 1),
  }),
  ...leadingTo('a purchase is ended that was paid', {
    'what was paid makes no room for another coupon': coupon(3, 0, 0, 1, 1),
  }),
}

/** Every guard of the switch between gateways, each taken away alone. */
export const switchRemovals: Readonly<Record<SwitchGuard, Removal<SwitchViolation>>> = {
  ...leadingTo('sold on terms that were changed', {
    'sent only while the account is as it was read': { workers: 1, switches: 1 },
    'the claim and the account are read in one transaction': { workers: 1, switches: 1 },
    'replayed only on the terms of its claim': { workers: 3, switches: 1 },
  }),
  ...leadingTo('freed though it was sent', {
    'a claim is given back on its rev': { workers: 3, switches: 2 },
  }),
  ...leadingTo('a slot is held at another gateway', {
    'switched only while every slot is free': { workers: 1, switches: 1 },
  }),
  ...leadingTo('the audit log names other terms than were left', {
    'switched only from what was read': { workers: 0, switches: 2 },
  }),
}
