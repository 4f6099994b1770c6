import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { create } from '../resources/events.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import { type Context, newId } from '../state/context.ts'
import type { Wire } from '../wire/wire.ts'
import { testCard } from './cards.ts'

type Charge = Wire<Stripe.Charge>

function cardDetails(context: Context, method: string): Wire<Stripe.Charge.PaymentMethodDetails> {
  const { brand, country, funding, last4: usual } = testCard(context.store.get('cards', method)?.card ?? 'visa')
  const { last4 = usual, exp_month = 11, exp_year = 2032 } = context.store.get('payment_methods', method)?.card ?? {}
  return {
    type: 'card',
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
      country,
      exp_month,
      exp_year,
      funding,
      last4,
      network: brand,
      regulated_status: 'unregulated',
      ...nulls(
        'amount_authorized authorization_code electronic_commerce_indicator installments mandate',
        'network_transaction_id three_d_secure transaction_link_id wallet',
      ),
    },
  }
}

/** Records a charge of a PaymentIntent and its event. If a `failure` is given, the charge has failed. */
export function recordCharge(
  context: Context,
  intent: Wire<Stripe.PaymentIntent>,
  method: string,
  failure: { code: string; decline_code: string; message: string } | null,
): Charge {
  const paid = failure === null
  const captured = paid && intent.capture_method !== 'manual'
  const charge: Charge = {
    id: newId(context, 'charges'),
    object: 'charge',
    ...nulls(
      'application application_fee application_fee_amount balance_transaction',
      'calculated_statement_descriptor failure_balance_transaction on_behalf_of receipt_email',
      'receipt_number receipt_url review source source_transfer statement_descriptor',
      'statement_descriptor_suffix transfer_data transfer_group',
    ),
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured,
    created: context.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: failure?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method,
    payment_method_details: cardDetails(context, method),
    refunded: false,
    shipping: intent.shipping,
    status: paid ? 'succeeded' : 'failed',
  }
  return create(context, 'charges', charge, paid ? 'charge.succeeded' : 'charge.failed')
}

const listParams = p.paramsFor<Stripe.ChargeListParams>()({
  ...listShape,
  customer: p.text().optional(),
  payment_intent: p.text().optional(),
})

/** Reading endpoints of https://docs.stripe.com/api/charges. */
export const chargeRoutes = resourceRoutes('charges', {
  list: { params: listParams, same: ['customer', 'payment_intent'] },
})
