import type Stripe from 'stripe'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { addressParam } from '../resources/addresses.ts'
import { intentShape, removedTypes } from './intents.ts'

const uncovered = words(
  'amount_details application_fee_amount customer_account hooks payment_details',
  'payment_method_configuration payment_method_data payment_method_options shipping statement_descriptor',
  'statement_descriptor_suffix transfer_data transfer_group',
)

const shipping = p.nested({
  address: addressParam,
  carrier: p.text().optional(),
  name: p.text(),
  phone: p.text().optional(),
  tracking_number: p.text().optional(),
})

/** Parameters of https://docs.stripe.com/api/payment_intents/create. */
export const createParams = p.paramsFor<Stripe.PaymentIntentCreateParams>()(
  {
    ...intentShape,
    amount: p.integer(1, 99_999_999),
    capture_method: p.word(['automatic', 'automatic_async', 'manual']).optional(),
    confirmation_method: p.word(['automatic', 'manual']).optional(),
    confirmation_token: p.text().optional(),
    currency: p.text(3),
    off_session: p.flag().optional(),
    receipt_email: p.text().optional(),
    setup_future_usage: p.word(['off_session', 'on_session']).optional(),
    shipping: shipping.optional(),
  },
  [
    ...uncovered.filter((name) => name !== 'shipping'),
    ...words(
      'error_on_requires_action excluded_payment_method_types mandate',
      'mandate_data on_behalf_of radar_options',
    ),
  ],
  removedTypes,
)

/** Parameters of https://docs.stripe.com/api/payment_intents/update. */
export const updateParams = p.paramsFor<Stripe.PaymentIntentUpdateParams>()(
  {
    amount: p.integer(1, 99_999_999).optional(),
    description: p.unsettable(p.text(1000)).optional(),
    metadata: p.metadata().optional(),
    payment_method: p.text().optional(),
  },
  [
    ...uncovered,
    ...words(
      'allowed_payment_method_types capture_method currency customer excluded_payment_method_types',
      'receipt_email setup_future_usage',
    ),
  ],
  removedTypes,
)

/** Parameters of https://docs.stripe.com/api/payment_intents/confirm. */
export const confirmParams = p.paramsFor<Stripe.PaymentIntentConfirmParams>()(
  {
    confirmation_token: p.text().optional(),
    error_on_requires_action: p.flag().optional(),
    off_session: p.flag().optional(),
    payment_method: p.text().optional(),
    return_url: p.text().optional(),
    use_stripe_sdk: p.flag().optional(),
  },
  words(
    'amount_to_confirm capture_method mandate mandate_data payment_method_data',
    'payment_method_options receipt_email setup_future_usage shipping',
  ),
)

/** Parameters of https://docs.stripe.com/api/payment_intents/capture. */
export const captureParams = p.paramsFor<Stripe.PaymentIntentCaptureParams>()(
  { amount_to_capture: p.integer(1).optional(), metadata: p.metadata().optional() },
  words(
    'amount_details application_fee_amount final_capture hooks payment_details statement_descriptor',
    'statement_descriptor_suffix transfer_data',
  ),
)

/** Parameters of https://docs.stripe.com/api/payment_intents/cancel. */
export const cancelParams = p.paramsFor<Stripe.PaymentIntentCancelParams>()({
  cancellation_reason: p.word(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
})

/** Parameters of https://docs.stripe.com/api/payment_intents/list. */
export const listParams = p.paramsFor<Stripe.PaymentIntentListParams>()(
  { ...listShape, customer: p.text().optional() },
  ['customer_account'],
)
