import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
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
      amount_authorized: null,
      authorization_code: null,
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
      country,
      electronic_commerce_indicator: null,
      exp_month,
      exp_year,
      funding,
      installments: null,
      last4,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
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
  const charge: Charge = {
    id: newId(context, 'charges'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created: context.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
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
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
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
