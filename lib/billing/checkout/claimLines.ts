import { reasonOf } from '../../core/errors.ts'
import { planCodes } from '../catalog.ts'
import type { Coupon, Price } from '../gateway/gatewayPorts.ts'
import { isSameTerms } from '../slot/paymentTerms.ts'
import type { BillingAccount, BillingDeps, Conflict, PayingAccount, SlotChange } from '../slot/ports.ts'
import { isHeld, leaseReleased, purchaseOf, type Slot } from '../slot/slot.ts'
import { toFree } from '../slot/slotChange.ts'
import { type AnsweredLine, answered, answeredRefused, type RefusedLine, refused, refusedFor } from './cartLine.ts'
import { type ClaimedLine, holdSlot, type WantedLine } from './holdSlot.ts'
import type { LineError } from './lineError.ts'
import { isFenced, type LinePlan } from './planCart.ts'
import type { Agreement, Cart, CartOffer, CheckoutContext, PurchaseContext } from './readCart.ts'

/** A line after claiming: held by this request, answered, or an unpaid purchase, which is paid without a claim. */
export type CheckoutLine = AnsweredLine | HeldLine | UnpaidLine

export type UnpaidLine = Extract<LinePlan, { kind: 'pay_incomplete' }>

interface HeldLine {
  kind: 'held'
  line: ClaimedLine
}

/** Claims what has to be claimed. A known customer is decrypted while the claims are written. */
export async function claimLines(cart: Cart, plans: readonly LinePlan[]): Promise<CheckoutLine[]> {
  const lines = plans.map((plan) => {
    if (plan.kind === 'claim') return pricePlan(cart, plan)
    const isUnseen = plan.kind === 'pay_incomplete' && cart.agreed?.amounts.has(plan.code) === false
    return isUnseen ? answeredRefused(plan.code, 'price_changed') : plan
  })
  const wanted = lines.filter(isWanted)
  if (cart.account.customer && plans.some(needsCustomer)) void cart.customer()
  const results = await claimWanted(cart, wanted, cart.coupon.kind === 'found' ? cart.coupon.coupon : undefined)
  return lines.map((line) => {
    if (!isWanted(line)) return line
    return results[wanted.indexOf(line)] ?? answeredRefused(line.code, 'gateway_unavailable')
  })
}

function needsCustomer({ kind }: LinePlan): boolean {
  return kind === 'claim' || kind === 'take_over'
}

function isWanted<Line extends CheckoutLine>(line: Line | WantedLine): line is WantedLine {
  return line.kind === 'claim' || line.kind === 'take_over'
}

/** A new purchase at the price of its product, or why it cannot be made. */
export function pricePlan(cart: Cart, { code, slot }: { code: string; slot: Slot }): WantedLine | AnsweredLine {
  if (isFenced(cart.account, cart.deps.clock.now())) return answeredRefused(code, 'gateway_unavailable')
  const priced = priceLine(cart, slot)
  if (priced.kind === 'refused') return answered(priced.line)
  if (!cart.gateway.cards && cart.paymentMethodId !== undefined) return answeredRefused(code, 'payment_method_invalid')
  if (!mayBeFree(cart, priced.price) && !mayCharge(cart)) return answeredRefused(code, 'payment_method_required')
  return { kind: 'claim', code, slot, price: priced.price }
}

function mayBeFree({ coupon }: CartOffer, { offer }: Price): boolean {
  return offer?.amount === 0 || (coupon.kind === 'found' && coupon.coupon.mayCoverAll)
}

/**
 * Whether there may be a card to charge: the request names one, or the organization has a customer. Otherwise no customer is created. A
 * gateway without cards asks for none.
 */
function mayCharge({ gateway, account, paymentMethodId }: CheckoutContext): boolean {
  return gateway.cards === undefined || paymentMethodId !== undefined || account.customer !== undefined
}

/** What a new purchase of a slot's product is made at, or why the prices, the coupon, the details or an unpaid invoice do not allow one. */
export function priceLine(
  { prices, coupon, details, arrears, agreed }: CartOffer,
  { product }: Pick<Slot, 'product'>,
): { kind: 'priced'; price: Price } | { kind: 'refused'; line: RefusedLine } {
  const code = planCodes[product]
  const refuse = (error: LineError) => ({ kind: 'refused', line: refused(code, error) }) as const
  if (prices.kind !== 'ok') return refuse(prices.kind === 'unknown' ? 'gateway_unavailable' : 'gateway_refused')
  const price = prices.value.get(code)
  if (!price) return refuse('not_for_sale')
  if (arrears === 'overdue') return refuse('invoice_overdue')
  if (coupon.kind === 'refused') return refuse(coupon.error)
  if (coupon.kind === 'found' && !appliesTo(coupon.coupon, price)) return refuse('coupon_not_applicable')
  if (details === 'unknown' || arrears === 'unknown') return refuse('gateway_unavailable')
  if (details.length > 0) return { kind: 'refused', line: refusedFor(code, details) }
  const disagreement = agreed && disagreementOn(agreed, price, code)
  if (disagreement) return refuse(disagreement)
  return { kind: 'priced', price }
}

/** Why a price is not what was agreed on. A line in another currency than the rest of its cart was shown as refused. */
function disagreementOn({ amounts, currency }: Agreement, price: Price, code: string): LineError | undefined {
  const isOther = price.currency !== currency
  if (isOther && amounts.size > 0 && !amounts.has(code)) return 'currency_mismatch'
  return isOther || amounts.get(code) !== listAmount(price) ? 'price_changed' : undefined
}

/** What a price counts in a subtotal: nothing if it is not a single amount. */
export function listAmount({ offer }: Price): number {
  return offer?.amount ?? 0
}

/** Whether the coupon takes anything off this price. */
function appliesTo({ gatewayProductIds, currency }: Coupon, { gatewayProductId, currency: priced }: Price): boolean {
  if (currency !== null && currency !== priced) return false
  return gatewayProductIds === null || gatewayProductIds.includes(gatewayProductId)
}

/**
 * Claims each line by a write of its own. Then reads claims and account again before anything may be sent, and gives back what was claimed
 * for an account that has changed since it was read. A coupon is reserved in the transaction of its claim, which checks the account itself.
 * A line that lost its slot, or whose claim may not have been written, is answered.
 */
export async function claimWanted(
  context: CheckoutContext,
  wanted: readonly WantedLine[],
  coupon: Coupon | undefined,
): Promise<(AnsweredLine | HeldLine)[]> {
  const lease = { owner: context.deps.ids.uuid(), now: context.deps.clock.now() }
  const claims = wanted.map((line) => holdSlot(context, line, lease, coupon))
  const results = await Promise.all(claims.map((claim) => writeClaim(context, claim)))
  const unread = claims.filter(({ change }, index) => results[index]?.kind === 'held' && !change.redemption)
  const outdated = await giveBackOutdated(
    context,
    unread.map(({ line }) => line),
  )
  return results.map((result) => (result.kind === 'held' && outdated.get(result.line)) || result)
}

/** Writes one claim. If it is not known whether the claim was written, nothing is sent for it, and the sweeper settles it. */
async function writeClaim(
  context: CheckoutContext,
  { line, change }: { line: ClaimedLine; change: SlotChange },
): Promise<AnsweredLine | HeldLine> {
  try {
    const conflict = await context.deps.records.commit(change, change.redemption && context.account)
    return conflict ? lostTo(line.code, conflict) : { kind: 'held', line }
  } catch (error) {
    context.deps.logger.error('Claim not written', { reason: reasonOf(error) })
    return answeredRefused(line.code, 'gateway_unavailable')
  }
}

/** The lines of these that may not be sent, once they and the account were read again. Each that is still held is given back. */
async function giveBackOutdated(
  context: CheckoutContext,
  lines: readonly ClaimedLine[],
): Promise<Map<ClaimedLine, AnsweredLine>> {
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
  const answers = new Map(outdated.map(({ line, conflict }) => [line, lostTo(line.code, conflict)]))
  const held = outdated.filter(({ conflict }) => conflict.slot === undefined)
  await Promise.all(held.map(({ line }) => releaseClaim(context, line)))
  return answers
}

/**
 * Reads claims again that were written each by itself, and the account with them. What changes the customer or the gateway, or plans a
 * deletion, is written only while every slot is free, and a removal of a card only while the slots are as it read them: so either it was refused because of these claims, or this read shows it.
 * @param account as the claims were made for it
 * @returns for each slot null if it may be sent, otherwise what it lost to
 * @throws CommonError `service_unavailable`
 */
export async function readClaims(
  { deps, account }: { deps: Pick<BillingDeps, 'records'>; account: PayingAccount },
  claims: readonly Slot[],
): Promise<(Conflict | null)[]> {
  if (claims.length === 0) return []
  const ofClaims = claims.map(({ product }) => product)
  const read = await deps.records.readTogether(account.organizationId, ofClaims)
  const accountChanged = !isAsRead(account, read.account)
  return claims.map(({ product, rev }) => {
    const slot = read.slots.find((current) => current.product === product && current.rev !== rev)
    return slot || accountChanged ? { slot, couponTaken: false, accountChanged } : null
  })
}

/** What `checkAccount` demands in a transaction. */
function isAsRead(account: PayingAccount, now: BillingAccount | undefined): boolean {
  if (now?.customerRev !== account.customerRev || now.cardFence?.owner !== account.cardFence?.owner) return false
  return isSameTerms(now, account) && !now.isBeingDeleted
}

/** The answer of a line whose claim lost to another writer. */
function lostTo(code: string, conflict: Conflict): AnsweredLine {
  const { slot } = conflict
  if (slot && isHeld(slot) && slot.state !== 'incomplete') return answeredRefused(code, 'already_subscribed')
  if (slot) return answeredRefused(code, 'checkout_in_progress')
  if (conflict.accountChanged) return answeredRefused(code, 'gateway_unavailable')
  return answeredRefused(code, conflict.couponTaken ? 'coupon_already_redeemed' : 'checkout_in_progress')
}

/** Gives a claim back for which nothing was sent: a new purchase frees its slot, an earlier one only loses its lease. */
export async function releaseClaim(
  { deps }: Pick<PurchaseContext, 'deps'>,
  { slot, mode, sentBefore }: ClaimedLine,
): Promise<void> {
  const change = mode === 'send' ? toFree(slot) : { next: leaseReleased(slot, { lastSent: sentBefore }) }
  // Where the store is unavailable as well, the lease ends by itself and the purchase is looked up later.
  await deps.records.commit(change).catch(() => deps.logger.error('Claim not given back', purchaseOf(slot)))
}
