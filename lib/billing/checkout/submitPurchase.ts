import { reasonOf } from '../../core/errors.ts'
import { planCodes } from '../catalog.ts'
import { customerOf } from '../customer/customer.ts'
import type { GatewayAnswer, RefusalReason } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { PaymentGateway } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, isDeclined } from '../gateway/subscription.ts'
import { endUnpaid } from '../slot/endUnpaid.ts'
import { type PaymentResult, payOpenInvoice } from '../slot/payOpenInvoice.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { isSubscribed, purchaseOf, type Slot } from '../slot/slot.ts'
import { recordSubscription } from '../slot/synchronizeSlot.ts'
import { LEASE_MARGIN, QUIET_PERIOD, REPLAY_WINDOW } from '../timing.ts'
import { type AnsweredLine, answeredRefused } from './cartLine.ts'
import { type CheckoutLine, pricePlan, type UnpaidLine } from './claimLines.ts'
import { type ClaimedLine, takeOver } from './holdSlot.ts'
import type { Cart } from './readCart.ts'

/** What a purchase came to. Only `subscription`, `refused` and `absent` move the slot; `unknown` is never a refusal. */
export type Outcome =
  | { kind: 'subscription'; subscription: GatewaySubscription }
  | { kind: 'refused'; reason: RefusalReason; declineCode?: string; customerId?: string }
  /** It was never executed, and can no longer be. */
  | { kind: 'absent' }
  /** Nothing of a new purchase was executed, or its customer could not be opened and nothing was sent. */
  | { kind: 'not_executed'; error: 'gateway_refused' | 'gateway_unavailable' }
  /** What was learned of the key: whether this call's attempts count, and whether a failure is stored under it. */
  | { kind: 'unknown'; notExecuted?: true; saved?: true }

/** What came of a line: of its purchase, or of the payment of its open invoice. `answered`: nothing was sent, and nothing is to be written. */
export type LineOutcome = Outcome | AnsweredLine | { kind: 'payment'; payment: PaymentResult }

/** Sends the purchase of a line that this request holds, looks it up, or pays or ends an unpaid purchase. */
export async function submitLine(cart: Cart, line: CheckoutLine): Promise<LineOutcome> {
  switch (line.kind) {
    case 'answered':
      return { kind: 'not_executed', error: 'gateway_unavailable' }
    case 'pay_incomplete':
      return payIncomplete(cart, line)
    case 'held': {
      const { mode } = line.line
      // A customer is bound before anything is sent for it: without one nothing was bought.
      if (mode !== 'send' && !cart.account.customer) return { kind: 'absent' }
      const customer = await cart.customer()
      if (customer.kind !== 'ok' && mode !== 'send') return { kind: 'unknown', notExecuted: true }
      if (customer.kind === 'refused') return { kind: 'not_executed', error: 'gateway_refused' }
      if (customer.kind === 'unknown') return { kind: 'not_executed', error: 'gateway_unavailable' }
      const outcome = await submitPurchase(cart.deps, line.line, customer.value, cart.deadline)
      return outcome.kind === 'refused' ? { ...outcome, customerId: customer.value } : outcome
    }
  }
}

/** An incomplete purchase bought again: the same card gets the same secret, another card pays the same open invoice. */
async function payIncomplete(cart: Cart, line: UnpaidLine): Promise<LineOutcome> {
  const { deps, userId, paymentMethodId, couponCode } = cart
  const { slot } = line
  if (!isSubscribed(slot)) return { kind: 'unknown' }
  const gateway = gatewayOf(deps.gateways, slot)
  const pay = () => payOpenInvoice(deps, gateway, slot, { userId, paymentMethodId, couponCode, states: ['incomplete'] })
  try {
    const payment = await pay()
    if (payment.kind !== 'not_payable') return { kind: 'payment', payment }
    const { latest } = payment
    const kept = await whyKept(cart, line, latest)
    if (kept) return kept === 'waiting' ? { kind: 'payment', payment } : kept
    const ended = await endUnpaid({ gateway, id: latest.id, by: userId }, latest)
    // If it was paid meanwhile, that payment stays.
    if (!ended) return { kind: 'payment', payment: await pay() }
    const recorded = await recordSubscription(deps, slot, ended)
    return { kind: 'payment', payment: { kind: 'nothing_to_pay', ...recorded } }
  } catch (error) {
    deps.logger.error('Purchase not settled', { ...purchaseOf(slot), reason: reasonOf(error) })
    return { kind: 'unknown' }
  }
}

/**
 * Why an unpaid purchase makes no room for the request's coupon: it was not declined, so that its buyer may be authenticating right now; or
 * nothing could be bought with the coupon. Undefined if it makes room, as it always does if nothing can pay it any more.
 */
async function whyKept(
  cart: Cart,
  line: UnpaidLine,
  latest: GatewaySubscription,
): Promise<'waiting' | AnsweredLine | undefined> {
  if (latest.payment.kind === 'voided') return undefined
  if (!isDeclined(latest)) return 'waiting'
  const priced = pricePlan(cart, line)
  if (priced.kind === 'answered') return priced
  const { coupon, deps, redeemer } = cart
  const isTaken = coupon.kind === 'found' && (await deps.records.isRedeemed(coupon.coupon.id, redeemer))
  return isTaken ? answeredRefused(line.code, 'coupon_already_redeemed') : undefined
}

/** The idempotency key of a purchase: from the claim, never from the request and never from chance. */
function purchaseKey({ organizationId, product, n }: Slot): string {
  return `sub:${organizationId}:${product}:${n}`
}

/**
 * Sends the purchase of a claimed slot, or finds out what became of it. The gateway's list is also read when it answers
 * with a failure that it stored under the key, for repeating the key could only repeat that.
 * @param deadline Unix milliseconds by which the answer must be there
 */
export async function submitPurchase(
  deps: Pick<BillingDeps, 'gateways' | 'clock'>,
  { slot, mode, sentBefore }: Pick<ClaimedLine, 'slot' | 'mode' | 'sentBefore'>,
  customerId: string,
  deadline: number,
): Promise<Outcome> {
  const { purchases } = gatewayOf(deps.gateways, slot)
  const { claim } = slot
  if (!claim) return { kind: 'unknown' }
  if (mode === 'look_up') return lookUp(deps, slot, customerId)

  const limits = {
    sendUntil: claim.leaseUntil - LEASE_MARGIN,
    answerBy: deadline,
    resend: mode === 'replay',
  }
  const answer = await purchases.createSubscription(claim.frozenRequest, customerId, purchaseKey(slot), limits)
  if (answer.kind === 'unknown' && answer.saved) return afterStoredFailure(await lookUp(deps, slot, customerId))
  if (answer.kind === 'unknown' && answer.notExecuted) {
    if (mode === 'send') return { kind: 'not_executed', error: 'gateway_unavailable' }
    // This call's attempts do not count: only an earlier one may have been executed.
    const found = await lookUp(deps, { ...slot, claim: { ...claim, lastSent: sentBefore } }, customerId)
    return found.kind === 'unknown' ? { kind: 'unknown', notExecuted: true } : found
  }
  if (answer.kind !== 'ok' || !answer.replayed) return outcomeOf(answer)
  // A replayed answer is as old as its first sending.
  const latest = await purchases.fetchSubscription(answer.value.id)
  return latest.kind === 'ok' ? outcomeOf(latest) : { kind: 'unknown' }
}

/** The gateway may still roll a stored failure forward, so that nothing is absent for certain yet. */
function afterStoredFailure(found: Outcome): Outcome {
  return found.kind === 'subscription' ? found : { kind: 'unknown', saved: true }
}

/**
 * Takes a pending purchase over that no request repeats, and looks it up.
 * @returns null if another writer came first
 * @throws CommonError `service_unavailable`
 */
export async function lookUpPending(
  deps: BillingDeps,
  account: BillingAccount,
  slot: Slot,
): Promise<{ line: ClaimedLine; outcome: Outcome } | null> {
  const lease = { owner: deps.ids.uuid(), now: deps.clock.now() }
  const line = takeOver({ code: planCodes[slot.product], slot }, lease, null)
  if (await deps.records.commit({ next: line.slot })) return null
  // A customer is bound before anything is sent for it: without one nothing was bought.
  if (!account.customer) return { line, outcome: { kind: 'absent' } }
  const customer = await customerOf(deps, account.organizationId, account.customer)
  const outcome = customer.kind === 'ok' ? await lookUp(deps, line.slot, customer.value) : { kind: 'unknown' as const }
  return { line, outcome }
}

/** Searches the gateway's list for the purchase of a slot, and decides whether it can still arrive there. */
async function lookUp(deps: Pick<BillingDeps, 'gateways' | 'clock'>, slot: Slot, customerId: string): Promise<Outcome> {
  // Read before the list: only what was quiet for long enough by then is proven absent by it.
  const now = deps.clock.now()
  const purchase = { organization_id: slot.organizationId, plan_code: planCodes[slot.product], n: slot.n }
  const gateway = gatewayOf(deps.gateways, slot)
  const found = await gateway.purchases.findSubscription(customerId, purchase, slot.claim?.frozenRequest ?? '{}')
  if (found.kind === 'ok' && found.value !== null) return { kind: 'subscription', subscription: found.value }
  if (!canNoLongerArrive(slot, now)) return { kind: 'unknown' }
  return found.kind === 'ok' || (await isDeleted(gateway, found, customerId)) ? { kind: 'absent' } : { kind: 'unknown' }
}

/** An error that names the customer may come from a wrong key or mode: only the customer itself shows that it is deleted. */
async function isDeleted(
  { customers }: PaymentGateway,
  found: GatewayAnswer<unknown>,
  customerId: string,
): Promise<boolean> {
  if (found.kind !== 'refused' || found.reason !== 'customer_missing') return false
  const customer = await customers.fetchCustomer(customerId)
  return customer.kind === 'ok' && customer.value.deleted
}

/** Quiet for long enough that nothing sent is still on its way, and no stored failure left that may be rolled forward. */
export function canNoLongerArrive({ claim }: Slot, now: number): boolean {
  if (claim === undefined || now - claim.lastSent <= QUIET_PERIOD) return false
  return claim.savedAt === undefined || now - claim.savedAt >= REPLAY_WINDOW
}

function outcomeOf(answer: GatewayAnswer<GatewaySubscription>): Outcome {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'subscription', subscription: answer.value }
    case 'refused':
      return answer
    case 'unknown':
      return { kind: 'unknown', ...(answer.notExecuted && { notExecuted: true }) }
  }
}
