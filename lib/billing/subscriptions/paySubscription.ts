import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId, PrincipalId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { BillingError, type BillingErrorCode } from '../errors.ts'
import type { GatewayAnswer, RefusalReason } from '../gateway/gatewayAnswer.ts'
import { gatewayFailure, requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { PaymentGateway, UnpaidInvoice } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, openPaymentOf } from '../gateway/subscription.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import { isUnpaid, openInvoiceOf, paymentKey, waitsForCard } from '../slot/openInvoice.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { fencedForPayment, isOf, type Slot, type SubscribedSlot } from '../slot/slot.ts'
import { slotOfProduct } from '../slot/slotOfProduct.ts'
import { recordSubscription } from '../slot/synchronizeSlot.ts'

export interface PayRequest {
  organizationId: OrganizationId
  caller: Principal
  product: Product
  /** The subscription's own card, or else the customer's default, where none is named. */
  paymentMethodId: string | undefined
}

/** What came of a payment. */
export interface PaidSubscription {
  /** As it is stored now. */
  slot: SubscribedSlot
  /** Present while the card needs authentication (3-D Secure): the buyer confirms the payment with it. */
  clientSecret: string | null
}

/** Who pays, and with which card. */
type Payer = Pick<PayRequest, 'paymentMethodId'> & { readonly userId: PrincipalId }

type PayDeps = Omit<BillingDeps, 'cipher'>

/**
 * Pays the open invoice of one product's subscription while its buyer is present. Each payment has a fence and an idempotency key of
 * its own, and the gateway pays no invoice twice. One that waits for the buyer's authentication is not begun again, but with another
 * card. Whatever the payment is answered, the subscription is fetched and that is recorded. Sent again after it was paid, it is
 * `nothing_to_pay`. What is sent invoices is paid by bank transfer, not here.
 * @throws OrganizationError; BillingError `not_subscribed`, `nothing_to_pay`, `card_not_accepted`, `checkout_in_progress`, `card_declined`,
 * `payment_method_required`, `payment_method_invalid`, `gateway_refused`, `gateway_unavailable`
 */
export async function paySubscription(deps: PayDeps, request: PayRequest): Promise<PaidSubscription> {
  const { organizationId, caller, product, paymentMethodId } = request
  const userId = principalIdOf(caller)
  const billing = await deps.records.read(organizationId, caller, [product])
  authorizeBilling(billing, 'write billing')
  const slot = slotOfProduct(billing, product)
  if (slot.state === 'canceled') throw new BillingError('nothing_to_pay')
  const gateway = gatewayOf(deps.gateways, slot)
  if (!gateway.cards) throw new BillingError('card_not_accepted')

  return payHeld(deps, gateway, slot, { userId, paymentMethodId })
}

/** @param tries how often an event may be faster than the fence */
async function payHeld(
  deps: PayDeps,
  gateway: PaymentGateway,
  slot: SubscribedSlot,
  { userId, paymentMethodId }: Payer,
  tries = 3,
): Promise<PaidSubscription> {
  const latest = await fetchOwn(gateway, slot)
  const invoice = await openInvoiceOf(gateway, latest)
  if (invoice === null) {
    await recordNew(deps, slot, latest)
    throw new BillingError('nothing_to_pay')
  }
  if (waitsForCard(invoice.payment, paymentMethodId)) return waiting(await recordNew(deps, slot, latest), invoice)

  const payer = { owner: deps.ids.uuid(), userId, since: deps.clock.now() }
  const fenced = fencedForPayment(slot, payer)
  const conflict = await deps.records.commit({ next: fenced })
  if (conflict) {
    const current = conflict.slot
    const byEvent = current && isOf(current, latest.id) && current.payer === undefined
    if (!byEvent || tries === 0) throw new BillingError('checkout_in_progress')
    return payHeld(deps, gateway, current, { userId, paymentMethodId }, tries - 1)
  }
  const paid = await payInvoice(gateway, invoice, paymentMethodId, paymentKey(slot, payer))
  const { slot: stored, latest: after } = await recordSubscription(deps, fenced, await fetchOwn(gateway, slot))
  return outcomeOf(gateway, stored, after, paid, paymentMethodId)
}

async function fetchOwn({ purchases }: PaymentGateway, { subscription }: SubscribedSlot): Promise<GatewaySubscription> {
  return requireOk(await purchases.fetchSubscription(subscription.id))
}

/** Records what was fetched where it differs from the record, which an event that is still on its way may be the reason of. */
async function recordNew(deps: PayDeps, slot: SubscribedSlot, latest: GatewaySubscription): Promise<SubscribedSlot> {
  const { subscription } = slot
  const isRecorded = slot.state === latest.status && (subscription.payment ?? null) === openPaymentOf(latest)
  return isRecorded ? slot : ownOf((await recordSubscription(deps, slot, latest)).slot, latest)
}

/** The slot was bought anew meanwhile: what was to be paid is over. */
function ownOf(slot: Slot, { id }: GatewaySubscription): SubscribedSlot {
  if (isOf(slot, id)) return slot
  throw new BillingError('nothing_to_pay')
}

function waiting(slot: SubscribedSlot, { payment }: UnpaidInvoice): PaidSubscription {
  return { slot, clientSecret: payment.kind === 'requires_action' ? payment.clientSecret : null }
}

/** A draft is opened first: charging it is what its subscription waits for. */
async function payInvoice(
  { invoices }: PaymentGateway,
  { id, isDraft }: UnpaidInvoice,
  paymentMethodId: string | undefined,
  key: string,
): Promise<GatewayAnswer<null>> {
  const opened = isDraft ? await invoices.finalizeInvoice(id) : undefined
  return opened && opened.kind !== 'ok' ? opened : invoices.payInvoice(id, paymentMethodId, key)
}

/** What the subscription itself shows goes before what the payment was answered. */
async function outcomeOf(
  gateway: PaymentGateway,
  stored: Slot,
  after: GatewaySubscription,
  paid: GatewayAnswer<null>,
  paymentMethodId: string | undefined,
): Promise<PaidSubscription> {
  const slot = ownOf(stored, after)
  if (slot.state === 'canceled') throw new BillingError('nothing_to_pay')
  if (!isUnpaid(after)) return { slot, clientSecret: null }
  const invoice = await openInvoiceOf(gateway, after)
  if (invoice && waitsForCard(invoice.payment, paymentMethodId)) return waiting(slot, invoice)
  if (paid.kind === 'ok') return { slot, clientSecret: null }
  throw paid.kind === 'refused' ? new BillingError(refusals[paid.reason]) : gatewayFailure(paid)
}

/** The error for each of the gateway's refusals of a payment. */
const refusals = {
  card_declined: 'card_declined',
  payment_method_required: 'payment_method_required',
  payment_method_invalid: 'payment_method_invalid',
  coupon_invalid: 'gateway_refused',
  customer_missing: 'gateway_refused',
  email_invalid: 'gateway_refused',
  address_required: 'gateway_refused',
  price_unavailable: 'gateway_refused',
  not_found: 'gateway_refused',
  already_done: 'gateway_refused',
  other: 'gateway_refused',
} as const satisfies Record<RefusalReason, BillingErrorCode>
