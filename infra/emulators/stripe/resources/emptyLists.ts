import type Stripe from 'stripe'
import { listShape, page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { type Route, route } from '../wire/route.ts'
import { requireRow } from './requireRow.ts'

const featureParams = p.paramsFor<Stripe.ProductListFeaturesParams>()(pageShape)
const warningParams = p.paramsFor<Stripe.Radar.EarlyFraudWarningListParams>()({
  ...listShape,
  charge: p.text().optional(),
  payment_intent: p.text().optional(),
})
const sessionParams = p.paramsFor<Stripe.Checkout.SessionListParams>()(
  {
    ...listShape,
    customer: p.text().optional(),
    payment_intent: p.text().optional(),
    status: p.word(['complete', 'expired', 'open']).optional(),
    subscription: p.text().optional(),
  },
  ['customer_account', 'customer_details', 'payment_link'],
)

/**
 * Lists of what the emulator never makes. Sync engines read them before all else, and they are as empty in an account that makes no use of
 * them. What an id of the path names has to exist.
 */
export const emptyListRoutes: readonly Route[] = [
  route('GET', '/v1/products/:id/features', featureParams, (context, sent, id) => {
    requireRow(context, 'products', id, 'product', 404)
    return page([], sent, `/v1/products/${id}/features`)
  }),
  route('GET', '/v1/radar/early_fraud_warnings', warningParams, (_context, sent) =>
    page([], sent, '/v1/radar/early_fraud_warnings'),
  ),
  route('GET', '/v1/checkout/sessions', sessionParams, (_context, sent) => page([], sent, '/v1/checkout/sessions')),
]
