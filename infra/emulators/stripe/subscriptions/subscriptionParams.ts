import type Stripe from 'stripe'
import { z } from 'zod'
import { coveredWord, flag, integer, metadata, nested, paramsFor, text, unsettable, word } from '../params/params.ts'
import { words } from '../params/words.ts'
import { discountsParam, updatedDiscountsParam } from '../resources/discounts.ts'
import { itemChangesParam } from './itemChanges.ts'
import { itemsParam } from './subscriptionItems.ts'

/** How a change is paid and prorated, wherever subscriptions or items are created or changed. */
export const changeParams = {
  payment_behavior: word([
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ]).optional(),
  proration_behavior: word(['always_invoice', 'create_prorations', 'none']).optional(),
}

/** The `payment_settings` parameter of a subscription. */
const paymentSettingsParam = nested({
  payment_method_options: nested({
    card: nested({ request_three_d_secure: coveredWord('automatic', ['any', 'challenge']).optional() }).optional(),
  }).optional(),
  payment_method_types: unsettable(z.array(text())).optional(),
  save_default_payment_method: word(['off', 'on_subscription']).optional(),
})

const trialSettingsParam = nested({
  end_behavior: nested({ missing_payment_method: word(['cancel', 'create_invoice', 'pause']) }),
})

/** The `billing_mode` parameter of a subscription, and of a preview. */
export const billingModeParam = nested({
  type: word(['flexible', 'classic']),
  flexible: nested({ proration_discounts: word(['included', 'itemized']).optional() }).optional(),
})

/** The `automatic_tax` parameter of a subscription, and of a preview. */
export const automaticTaxParam = nested({ enabled: flag() }, ['liability'])

const collectionParams = {
  collection_method: word(['charge_automatically', 'send_invoice']).optional(),
  days_until_due: integer(0).optional(),
}

/** Parameters of https://docs.stripe.com/api/subscriptions/create. */
export const createParams = paramsFor<Stripe.SubscriptionCreateParams>()(
  {
    automatic_tax: automaticTaxParam.optional(),
    billing_mode: billingModeParam.optional(),
    cancel_at: integer().optional(),
    cancel_at_period_end: flag().optional(),
    ...collectionParams,
    currency: text(3).optional(),
    customer: text(),
    default_payment_method: text().optional(),
    description: text(500).optional(),
    discounts: discountsParam.optional(),
    items: itemsParam,
    metadata: metadata().optional(),
    off_session: flag().optional(),
    payment_settings: paymentSettingsParam.optional(),
    ...changeParams,
    trial_end: z.union([z.literal('now'), integer()]).optional(),
    trial_period_days: integer(0, 730).optional(),
    trial_settings: trialSettingsParam.optional(),
  },
  words(
    'add_invoice_items application_fee_percent backdate_start_date billing_cycle_anchor',
    'billing_cycle_anchor_config billing_schedules billing_thresholds customer_account default_source',
    'default_tax_rates invoice_settings on_behalf_of pending_invoice_item_interval transfer_data',
    'trial_from_plan',
  ),
)

/** The `cancellation_details` parameter of update and cancel. */
const cancellationDetailsParam = nested({
  comment: unsettable(text(5000)).optional(),
  feedback: unsettable(
    word(
      words('customer_service low_quality missing_features other switched_service too_complex too_expensive unused'),
    ),
  ).optional(),
})

/** Parameters of https://docs.stripe.com/api/subscriptions/cancel. */
export const cancelParams = paramsFor<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetailsParam.optional(),
  invoice_now: flag().optional(),
  prorate: flag().optional(),
})

/** The `pause_collection` parameter of an update; empty text resumes. */
const pauseCollectionParam = unsettable(
  nested({ behavior: word(['keep_as_draft', 'mark_uncollectible', 'void']), resumes_at: integer().optional() }),
)

/** Parameters of https://docs.stripe.com/api/subscriptions/update. */
export const updateParams = paramsFor<Stripe.SubscriptionUpdateParams>()(
  {
    automatic_tax: automaticTaxParam.optional(),
    billing_cycle_anchor: nested({ type: word(['now', 'unchanged']) }).optional(),
    cancel_at: z
      .union([
        z.literal('').transform(() => null),
        word(['min_period_end', 'max_period_end', 'max_billed_until']),
        integer(),
      ])
      .optional(),
    cancel_at_period_end: flag().optional(),
    cancellation_details: cancellationDetailsParam.optional(),
    ...collectionParams,
    default_payment_method: unsettable(text()).optional(),
    description: unsettable(text(500)).optional(),
    discounts: updatedDiscountsParam.optional(),
    items: itemChangesParam.optional(),
    metadata: metadata().optional(),
    off_session: flag().optional(),
    pause_collection: pauseCollectionParam.optional(),
    payment_settings: paymentSettingsParam.optional(),
    ...changeParams,
    proration_date: integer(0).optional(),
    trial_end: z.union([z.literal('now'), integer()]).optional(),
    trial_settings: trialSettingsParam.optional(),
  },
  words(
    'add_invoice_items application_fee_percent billing_schedules billing_thresholds default_source',
    'default_tax_rates invoice_settings on_behalf_of pending_invoice_item_interval transfer_data',
    'trial_from_plan',
  ),
)
