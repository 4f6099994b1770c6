import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { BillingError, type BillingErrorCode } from '../errors.ts'
import type { RefusalReason } from '../gateway/gatewayAnswer.ts'
import { gatewayFailure } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { unpaidStates } from '../gateway/subscription.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import { payOpenInvoice } from '../slot/payOpenInvoice.ts'
import type { BillingDeps } from '../slot/ports.ts'
import type { SubscribedSlot } from '../slot/slot.ts'
import { slotOfProduct } from '../slot/slotOfProduct.ts'

interface PayRequest {
  organizationId: OrganizationId
  caller: Principal
  product: Product
  /** If undefined, the subscription's own card pays, or else the customer's default card. */
  paymentMethodId: string | undefined
}

interface PaidSubscription {
  /** The slot as stored after the payment. */
  slot: SubscribedSlot
  /** Present if the card needs authentication (3-D Secure): the buyer confirms the payment with it. */
  clientSecret: string | null
}

/**
 * Pays the open invoice of a product's subscription (`payOpenInvoice`). If it is already paid, throws `nothing_to_pay`.
 * Organizations that are sent invoices pay them by bank transfer, not here (`card_not_accepted`).
 * @throws OrganizationError; BillingError `not_subscribed`, `nothing_to_pay`, `card_not_accepted`, `checkout_in_progress`, `card_declined`,
 * `payment_method_required`, `payment_method_invalid`, `gateway_refused`, `gateway_unavailable`
 */
export async function paySubscription(
  deps: Omit<BillingDeps, 'cipher'>,
  request: PayRequest,
): Promise<PaidSubscription> {
  const { organizationId, caller, product, paymentMethodId } = request
  const billing = await deps.records.read(organizationId, caller, [product])
  authorizeBilling(billing, 'write billing')
  const slot = slotOfProduct(billing, product)
  const gateway = gatewayOf(deps.gateways, slot)
  if (!gateway.cards) throw new BillingError('card_not_accepted')
  if (slot.state === 'canceled') throw new BillingError('nothing_to_pay')

  const payment = { userId: principalIdOf(caller), paymentMethodId, states: unpaidStates }
  const paid = await payOpenInvoice(deps, gateway, slot, payment)
  switch (paid.kind) {
    case 'paid':
    case 'accepted':
      return { slot: paid.slot, clientSecret: null }
    case 'waiting':
      return paid
    case 'nothing_to_pay':
    case 'not_payable':
      throw new BillingError('nothing_to_pay')
    case 'in_progress':
      throw new BillingError('checkout_in_progress')
    case 'not_fetched':
      throw gatewayFailure(paid.answer)
    case 'failed':
      throw paid.answer.kind === 'refused'
        ? new BillingError(refusals[paid.answer.reason])
        : gatewayFailure(paid.answer)
  }
}

/** The error for each of the gateway's refusals of a payment. */
const refusals = {
  card_declined: 'card_declined',
  payment_method_required: 'payment_method_required',
  payment_method_invalid: 'payment_method_invalid',
  coupon_invalid: 'gateway_refused',
  coupon_expired: 'gateway_refused',
  coupon_not_applicable: 'gateway_refused',
  customer_missing: 'gateway_refused',
  email_invalid: 'gateway_refused',
  address_required: 'gateway_refused',
  price_unavailable: 'gateway_refused',
  currency_mismatch: 'gateway_refused',
  not_found: 'gateway_refused',
  already_done: 'gateway_refused',
  other: 'gateway_refused',
} as const satisfies Record<RefusalReason, BillingErrorCode>
