import { reasonOf } from '../../core/errors.ts'
import { planCodes } from '../catalog.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Coupon, Price } from '../gateway/gatewayPorts.ts'
import { termsOf } from '../slot/paymentTerms.ts'
import type { BillingDeps, Conflict, SlotChange } from '../slot/ports.ts'
import { type AppliedCoupon, type Claim, claimed, type Slot } from '../slot/slot.ts'
import { LEASE, nextSweep } from '../timing.ts'
import { type CartLine, type LinePlan, planLine, refused } from './cartLine.ts'
import { type CheckoutContext, type CheckoutRun, canPay } from './checkoutRun.ts'
import { pricedLine } from './pricedLine.ts'
import { readClaims } from './readClaims.ts'
import { type ClaimedLine, type Lease, releaseClaim, requestHash, takeOver } from './takeOver.ts'

/** A line whose slot this request wants to hold; `price` is what a new purchase buys, a take-over keeps its frozen request. */
export type WantedLine = { code: string; slot: Slot } & ({ kind: 'claim'; price: Price } | { kind: 'take_over' })

/** A line after claiming: held by this request, or answered because another one was faster. */
export type ClaimResult = { kind: 'held'; line: ClaimedLine } | { kind: 'lost'; line: CartLine }

/** Claims what has to be claimed. What is answered already, or paid, has no entry. */
export async function claimPlans(run: CheckoutRun, plans: readonly LinePlan[]): Promise<Map<LinePlan, ClaimResult>> {
  const results = new Map<LinePlan, ClaimResult>()
  const wanted: { plan: LinePlan; line: WantedLine }[] = []
  for (const plan of plans) {
    const line = wantedLine(run, plan)
    if (line === undefined) continue
    if ('error' in line) results.set(plan, lostLine(line))
    else wanted.push({ plan, line })
  }
  const coupon = run.coupon.kind === 'found' ? run.coupon.coupon : undefined
  const claims = await claimLines(
    run.context,
    wanted.map(({ line }) => line),
    coupon,
  )
  claims.forEach((result, index) => {
    const plan = wanted[index]?.plan
    if (plan) results.set(plan, result)
  })
  return results
}

function wantedLine(run: CheckoutRun, plan: LinePlan) {
  if (plan.kind === 'answered' || plan.kind === 'pay_incomplete') return undefined
  const code = planCodes[plan.slot.product]
  if (plan.kind === 'take_over') return { kind: 'take_over', code, slot: plan.slot } as const
  const priced = pricedLine(run, plan.slot)
  if ('error' in priced) return priced
  const { cards } = gatewayOf(run.context.deps.gateways, run.context.account)
  if (!cards && run.context.paymentMethodId !== undefined) return refused(code, 'payment_method_invalid')
  const free = run.coupon.kind === 'found' && run.coupon.coupon.mayCoverAll
  if (!free && !canPay({ ...run.context, couponCode: undefined })) return refused(code, 'payment_method_required')
  return { kind: 'claim', code, slot: plan.slot, price: priced.price } as const
}

/**
 * Claims each line by a write of its own, and reads claims and account again before anything may be sent: what was claimed for an account
 * that is not as it was read is given back. A coupon is reserved in the transaction of its claim, which checks the account itself. A line
 * that lost its slot in between, or whose claim may not have been written, is answered.
 */
export async function claimLines(
  context: CheckoutContext,
  wanted: readonly WantedLine[],
  coupon: Coupon | undefined,
): Promise<ClaimResult[]> {
  const lease = { owner: context.deps.ids.uuid(), now: context.deps.clock.now() }
  const claims = wanted.map((line) => claimOf(context, line, lease, coupon))
  const results = await Promise.all(claims.map((claim) => writeClaim(context, claim)))
  const unread = claims.filter(({ change }, index) => results[index]?.kind === 'held' && !change.redemption)
  const outdated = await giveBackOutdated(
    context,
    unread.map(({ line }) => line),
  )
  return results.map((result) => (result.kind === 'held' && outdated.get(result.line)) || result)
}

/** Writes one claim; one of which it is not known whether it was written is not sent, and settled later as any that crashed here. */
async function writeClaim(
  context: CheckoutContext,
  { line, change }: { line: ClaimedLine; change: SlotChange },
): Promise<ClaimResult> {
  try {
    const conflict = await context.deps.records.commit(change, change.redemption && context.account)
    return conflict ? lostTo(context, line.code, conflict) : { kind: 'held', line }
  } catch (error) {
    context.deps.logger.error('Claim not written', { reason: reasonOf(error) })
    return lostLine(refused(line.code, 'gateway_unavailable'))
  }
}

/** The lines of these that may not be sent, once they and the account were read again. Each that is still held is given back. */
async function giveBackOutdated(
  context: CheckoutContext,
  lines: readonly ClaimedLine[],
): Promise<Map<ClaimedLine, ClaimResult>> {
  const conflicts = await readClaims(
    context,
    lines.map(({ slot }) => slot),
  ).catch((error) => {
    context.deps.logger.error('Claim not confirmed', { reason: reasonOf(error) })
    return lines.map(() => ({ slot: undefined, couponTaken: false, accountChanged: true }))
  })
  const outdated = lines.flatMap((line, index) => {
    const conflict = conflicts[index]
    return conflict ? [{ line, conflict }] : []
  })
  const held = outdated.filter(({ conflict }) => conflict.slot === undefined)
  await Promise.all(held.map(({ line }) => releaseClaim(context, line)))
  return new Map(outdated.map(({ line, conflict }) => [line, lostTo(context, line.code, conflict)]))
}

function claimOf(
  context: CheckoutContext,
  line: WantedLine,
  lease: Lease,
  coupon: Coupon | undefined,
): { line: ClaimedLine; change: SlotChange } {
  if (line.kind === 'take_over') {
    const taken = takeOver(line, lease, { hash: requestHash(context), terms: context.account })
    return { line: taken, change: { next: taken.slot } }
  }
  const applied: AppliedCoupon | undefined = coupon && { id: coupon.id, code: coupon.code, userId: context.userId }
  const next = claimed(line.slot, newClaim(context, line, lease, coupon), applied)
  const redemption = applied && { coupon: applied, change: 'reserve' as const }
  return {
    line: { code: line.code, slot: next, mode: 'send', same: true, sentBefore: lease.now },
    change: { next, ...(redemption && { redemption }) },
  }
}

function newClaim(
  context: CheckoutContext,
  { slot, price }: Extract<WantedLine, { kind: 'claim' }>,
  { owner, now }: Lease,
  coupon: Coupon | undefined,
): Claim {
  const { account, userId } = context
  const frozenRequest = freezePurchase(context, slot, price, coupon)
  const times = { leaseUntil: now + LEASE, firstSent: now, lastSent: now, nextSweepAt: nextSweep(now, now) }
  return { ...termsOf(account), owner, ...times, frozenRequest, requestHash: requestHash(context), userId }
}

/** The parameters of a new purchase of a free slot, as its claim freezes them: a preview is asked for with the same ones. */
export function freezePurchase(
  {
    deps,
    account,
    userId,
    paymentMethodId,
  }: Pick<CheckoutContext, 'account' | 'userId' | 'paymentMethodId'> & {
    deps: Pick<BillingDeps, 'gateways'>
  },
  slot: Slot,
  price: Price,
  coupon: Coupon | undefined,
): string {
  const purchase = {
    organization_id: account.organizationId,
    product: slot.product,
    plan_code: planCodes[slot.product],
    n: slot.n + 1,
    user_id: userId,
  }
  const { purchases } = gatewayOf(deps.gateways, account)
  const { daysUntilDue } = account
  return purchases.freezeSubscription({ priceId: price.id, paymentMethodId, coupon, daysUntilDue, purchase })
}

function lostTo(context: CheckoutContext, code: string, conflict: Conflict): ClaimResult {
  if (conflict.slot) {
    const plan = planLine(code, conflict.slot, context.deps.clock.now(), canPay(context))
    return lostLine(plan.kind === 'answered' ? plan.line : refused(code, 'checkout_in_progress'))
  }
  if (conflict.accountChanged) return lostLine(refused(code, 'gateway_unavailable'))
  return lostLine(refused(code, conflict.couponTaken ? 'coupon_already_redeemed' : 'checkout_in_progress'))
}

function lostLine(line: CartLine): ClaimResult {
  return { kind: 'lost', line }
}
