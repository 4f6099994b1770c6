import { at } from './at.ts'
import {
  type CouponBounds,
  type CouponHook,
  type CouponState,
  type CouponViolation,
  changeAfter,
  couponKeyOf,
  doneCouponHook,
  doneCouponWorker,
  type Fate,
  initialCouponState,
  isHolder,
  nameOf,
  projectedCoupon,
  purchaseAt,
  transaction,
  type Without,
  withFate,
} from './couponState.ts'
import { workerSteps } from './couponWorkers.ts'
import type { Model, Visit } from './explore.ts'
import type { CouponGuard } from './guards/guards.ts'

/** One coupon of one user who buys with it in one organization or two, within `bounds`, without some guards. */
export function couponProtocol(bounds: CouponBounds, guards: readonly CouponGuard[] = []): Model<CouponState> {
  const without: Without = new Set(guards)
  return {
    initial: initialCouponState(bounds),
    key: couponKeyOf,
    violation: judge,
    next(state, visit) {
      worldSteps(state, bounds, without, visit)
      state.workers.forEach((_, index) => {
        workerSteps(state, index, without, visit)
      })
      state.hooks.forEach((_, index) => {
        hookSteps(state, index, visit)
      })
    },
  }
}

/** Every state may be the last before all of its invocations crash, so what is written must agree in each. */
function judge({ slots, redemption, purchases, broken }: CouponState): CouponViolation | undefined {
  if (broken) return broken
  if (purchases.filter(({ fate, coupon }) => fate === 'live' && coupon).length > 1) return 'the coupon is used twice'
  for (const [organization, { state, n, coupon }] of slots.entries()) {
    const recorded = isHolder(redemption, { organization, n }) && redemption?.state === 'applied'
    if ((state === 'held' || state === 'incomplete') && coupon && !recorded)
      return 'a purchase with the coupon is not recorded'
  }
  if (redemption === null) return undefined
  const slot = at(slots, redemption.organization)
  const reserved = redemption.state === 'reserved'
  const inUse = reserved ? slot.state === 'pending' : slot.state === 'held' || slot.state === 'incomplete'
  return slot.n === redemption.n && inUse ? undefined : 'the coupon is leaked'
}

function worldSteps(state: CouponState, { ticks }: CouponBounds, without: Without, visit: Visit<CouponState>): void {
  const now = state.now + 1
  if (now <= ticks) {
    visit(`time ${now}`, {
      ...state,
      now,
      slots: state.slots.map((slot) => ({ ...slot, leased: false })),
      workers: state.workers.map((worker) => (worker.step === 'idle' ? worker : doneCouponWorker)),
      hooks: state.hooks.map((hook) => (hook.step === 'idle' ? hook : doneCouponHook)),
    })
  }
  if (without.has('never freed by an expiry') && state.now > 0 && state.redemption?.state === 'reserved') {
    visit('the reservation expires', { ...state, redemption: null })
  }
  for (const purchase of state.purchases) {
    if (purchase.fate !== 'incomplete' && purchase.fate !== 'voided') continue
    const become = (label: string, fate: Fate) =>
      visit(`${nameOf(purchase)} ${label}`, { ...state, purchases: withFate(state.purchases, purchase, fate) })
    if (purchase.fate === 'incomplete') become('is authenticated', 'live')
    become('expires unpaid', 'unpaid')
  }
}

/** A webhook settles a pending purchase forward, or projects what became of it since. */
function hookSteps(state: CouponState, index: number, visit: Visit<CouponState>): void {
  const hook = at(state.hooks, index)
  const to = (label: string, next: CouponHook, change: Partial<CouponState> = {}) =>
    visit(`h${index} ${label}`, { ...state, ...change, hooks: state.hooks.with(index, next) })
  if (hook.step === 'idle') {
    for (const purchase of state.purchases) {
      if (purchase.fate === 'refused') continue
      const { organization, n } = purchase
      const slot = at(state.slots, organization)
      to(`gets an event of ${nameOf(purchase)}`, { step: 'read', slot, fate: null, organization, n })
    }
    return
  }
  if (!hook.slot || hook.step === 'done') return
  if (hook.step === 'read') {
    const latest = purchaseAt(state.purchases, hook)
    to(`fetches: ${latest?.fate}`, { ...hook, step: 'fetched', fate: latest?.fate ?? null })
    return
  }
  const { slot, fate, organization } = hook
  const isLeft = fate === 'declined' && slot.state === 'pending'
  if (fate === null || isLeft || slot.state === 'free' || slot.n !== hook.n) {
    to('leaves it', doneCouponHook)
    return
  }
  const stored = transaction(state, organization, projectedCoupon(slot, fate), changeAfter(slot, fate))
  to(stored ? `projects: ${fate}` : 'lost the slot', doneCouponHook, stored)
}
