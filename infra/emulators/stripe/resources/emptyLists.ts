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
const entitlementParams = p.paramsFor<Stripe.Entitlements.ActiveEntitlementListParams>()({
  ...pageShape,
  customer: p.text(),
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

/** Lists that are read whole, with what each takes. No filter of them is covered: all would find the same. */
const wholeLists = [
  ['/v1/accounts', p.paramsFor<Stripe.AccountListParams>()(listShape)],
  ['/v1/application_fees', p.paramsFor<Stripe.ApplicationFeeListParams>()(listShape, ['charge'])],
  [
    '/v1/balance_transactions',
    p.paramsFor<Stripe.BalanceTransactionListParams>()(listShape, ['currency', 'payout', 'source', 'type']),
  ],
  ['/v1/country_specs', p.paramsFor<Stripe.CountrySpecListParams>()(pageShape)],
  [
    '/v1/entitlements/features',
    p.paramsFor<Stripe.Entitlements.FeatureListParams>()(pageShape, ['archived', 'lookup_key']),
  ],
  ['/v1/file_links', p.paramsFor<Stripe.FileLinkListParams>()(listShape, ['expired', 'file'])],
  ['/v1/files', p.paramsFor<Stripe.FileListParams>()(listShape, ['purpose'])],
  [
    '/v1/identity/verification_reports',
    p.paramsFor<Stripe.Identity.VerificationReportListParams>()(listShape, [
      'client_reference_id',
      'type',
      'verification_session',
    ]),
  ],
  [
    '/v1/identity/verification_sessions',
    p.paramsFor<Stripe.Identity.VerificationSessionListParams>()(listShape, [
      'client_reference_id',
      'related_customer',
      'related_customer_account',
      'status',
    ]),
  ],
  [
    '/v1/issuing/authorizations',
    p.paramsFor<Stripe.Issuing.AuthorizationListParams>()(listShape, ['card', 'cardholder', 'status']),
  ],
  [
    '/v1/issuing/cardholders',
    p.paramsFor<Stripe.Issuing.CardholderListParams>()(listShape, ['email', 'phone_number', 'status', 'type']),
  ],
  [
    '/v1/issuing/cards',
    p.paramsFor<Stripe.Issuing.CardListParams>()(listShape, [
      'cardholder',
      'exp_month',
      'exp_year',
      'last4',
      'personalization_design',
      'status',
      'type',
    ]),
  ],
  ['/v1/issuing/disputes', p.paramsFor<Stripe.Issuing.DisputeListParams>()(listShape, ['status', 'transaction'])],
  [
    '/v1/issuing/transactions',
    p.paramsFor<Stripe.Issuing.TransactionListParams>()(listShape, ['card', 'cardholder', 'type']),
  ],
  ['/v1/payouts', p.paramsFor<Stripe.PayoutListParams>()(listShape, ['arrival_date', 'destination', 'status'])],
  ['/v1/reviews', p.paramsFor<Stripe.ReviewListParams>()(listShape)],
  ['/v1/shipping_rates', p.paramsFor<Stripe.ShippingRateListParams>()(listShape, ['active', 'currency'])],
  ['/v1/tax_codes', p.paramsFor<Stripe.TaxCodeListParams>()(pageShape)],
  ['/v1/tax_rates', p.paramsFor<Stripe.TaxRateListParams>()(listShape, ['active', 'inclusive'])],
  ['/v1/transfers', p.paramsFor<Stripe.TransferListParams>()(listShape, ['destination', 'transfer_group'])],
] as const

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
  route('GET', '/v1/entitlements/active_entitlements', entitlementParams, (context, sent) => {
    requireRow(context, 'customers', sent.customer, 'customer')
    return page([], sent, '/v1/entitlements/active_entitlements')
  }),
  ...wholeLists.map(([path, params]) => route('GET', path, params, (_context, sent) => page([], sent, path))),
]
