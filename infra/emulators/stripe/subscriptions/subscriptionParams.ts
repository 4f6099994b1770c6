import type Stripe from 'stripe'
import * as z from 'zod'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { discountsParam, updatedDiscountsParam } from '../resources/discounts.ts'
import { itemChangesParam } from './itemChanges.ts'
import { itemsParam } from './subscriptionItems.ts'

/** How a change is paid and prorated, wherever subscriptions or items are created or changed. */
export const changeParams = {
  payment_behavior: p
    .word(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
  proration_behavior: p.word(['always_invoice', 'create_prorations', 'none']).optional(),
}

/** The `payment_settings` parameter of a subscription. */
const paymentSettingsParam = p.nested({
  payment_method_options: p
    .nested({
      card: p
        .nested({ request_three_d_secure: p.coveredWord('automatic', ['any', 'challenge']).optional() })
        .optional(),
    })
    .optional(),
  payment_method_types: p.unsettable(z.array(p.text())).optional(),
  save_default_payment_method: p.word(['off', 'on_subscription']).optional(),
})

const trialSettingsParam = p.nested({
  end_behavior: p.nested({ missing_payment_method: p.word(['cancel', 'create_invoice', 'pause']) }),
})

/** The `billing_mode` parameter of a subscription, and of a preview. */
export const billingModeParam = p.nested({
  type: p.word(['flexible', 'classic']),
  flexible: p.nested({ proration_discounts: p.word(['included', 'itemized']).optional() }).optional(),
})

/** The `automatic_tax` parameter of a subscription, and of a preview. */
export const automaticTaxParam = p.nested({ enabled: p.flag() }, ['liability'])

const collectionParams = {
  collection_method: p.word(['charge_automatically', 'send_invoice']).optional(),
  days_until_due: p.integer(0).optional(),
}

/** Parameters of https://docs.stripe.com/api/subscriptions/create. */
export const createParams = p.paramsFor<Stripe.SubscriptionCreateParams>()(
  {
    automatic_tax: automaticTaxParam.optional(),
    billing_mode: billingModeParam.optional(),
    cancel_at: p.integer().optional(),
    cancel_at_period_end: p.flag().optional(),
    ...collectionParams,
    currency: p.text(3).optional(),
    customer: p.text(),
    default_payment_method: p.text().optional(),
    description: p.text(500).optional(),
    discounts: discountsParam.optional(),
    items: itemsParam,
    metadata: p.metadata().optional(),
    off_session: p.flag().optional(),
    payment_settings: paymentSettingsParam.optional(),
    ...changeParams,
    trial_end: z.union([z.literal('now'), p.integer()]).optional(),
    trial_period_days: p.integer(0, 730).optional(),
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
const cancellationDetailsParam = p.nested({
  comment: p.unsettable(p.text(5000)).optional(),
  feedback: p
    .unsettable(
      p.word(
        words('customer_service low_quality missing_features other switched_service too_complex too_expensive unused'),
      ),
    )
    .optional(),
})

/** Parameters of https://docs.stripe.com/api/subscriptions/cancel. */
export const cancelParams = p.paramsFor<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetailsParam.optional(),
  invoice_now: p.flag().optional(),
  prorate: p.flag().optional(),
})

/** The `pause_collection` parameter of an update; empty text resumes. */
const pauseCollectionParam = p.unsettable(
  p.nested({ behavior: p.word(['keep_as_draft', 'mark_uncollectible', 'void']), resumes_at: p.integer().optional() }),
)

/** Parameters of https://docs.stripe.com/api/subscriptions/update. */
export const updateParams = p.paramsFor<Stripe.SubscriptionUpdateParams>()(
  {
    automatic_tax: automaticTaxParam.optional(),
    billing_cycle_anchor: p.nested({ type: p.word(['now', 'unchanged']) }).optional(),
    cancel_at: z
      .union([
        z.literal('').transform(() => null),
        p.word(['min_period_end', 'max_period_end', 'max_billed_until']),
        p.integer(),
      ])
      .optional(),
    cancel_at_period_end: p.flag().optional(),
    cancellation_details: cancellationDetailsParam.optional(),
    ...collectionParams,
    default_payment_method: p.unsettable(p.text()).optional(),
    description: p.unsettable(p.text(500)).optional(),
    discounts: updatedDiscountsParam.optional(),
    items: itemChangesParam.optional(),
    metadata: p.metadata().optional(),
    off_session: p.flag().optional(),
    pause_collection: pauseCollectionParam.optional(),
    payment_settings: paymentSettingsParam.optional(),
    ...changeParams,
    proration_date: p.integer(0).optional(),
    trial_end: z.union([z.literal('now'), p.integer()]).optional(),
    trial_settings: trialSettingsParam.optional(),
  },
  words(
    'add_invoice_items application_fee_percent billing_schedules billing_thresholds default_source',
    'default_tax_rates invoice_settings on_behalf_of pending_invoice_item_interval transfer_data',
    'trial_from_plan',
  ),
)
