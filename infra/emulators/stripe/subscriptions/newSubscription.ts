import type Stripe from 'stripe'
import { automaticTax } from '../invoices/automaticTax.ts'
import { collectionTerms } from '../invoices/collectionTerms.ts'
import { mergeMetadata, type ParsedBy } from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { type Context, newId } from '../state/context.ts'
import { exclusiveParams, notInFuture } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { newItem, periodFrom, type WantedItem } from './subscriptionItems.ts'
import type { createParams } from './subscriptionParams.ts'
import { noInvoiceSettings } from './subscriptionSchedules.ts'

type Subscription = Wire<Stripe.Subscription>
type Sent = ParsedBy<typeof createParams>

/** End of the requested trial; null if there is no trial. Throws a 400 if the time is past. */
export function trialEnd(context: Context, sent: Sent): number | null {
  if (sent.trial_end !== undefined && sent.trial_period_days !== undefined) {
    throw exclusiveParams('trial_end', 'trial_period_days')
  }
  if (typeof sent.trial_end === 'number') {
    if (sent.trial_end > context.now) return sent.trial_end
    throw notInFuture('trial_end')
  }
  return sent.trial_period_days ? context.now + sent.trial_period_days * 86_400 : null
}

/** The wire form of a new subscription: incomplete, or trialing until `trial`. Nothing is written. */
export function newSubscription(context: Context, sent: Sent, items: WantedItem[], trial: number | null): Subscription {
  const { now } = context
  const id = newId(context, 'subscriptions')
  const anchor = trial ?? now
  const period = trial === null ? periodFrom(now, items, now) : { start: now, end: trial }
  const [first] = items
  const settings = sent.payment_settings
  return {
    id,
    object: 'subscription',
    ...nulls(
      'application application_fee_percent billing_cycle_anchor_config billing_thresholds',
      'customer_account default_source ended_at latest_invoice managed_payments',
      'next_pending_invoice_item_invoice on_behalf_of pause_collection pending_invoice_item_interval',
      'pending_setup_intent pending_update schedule test_clock transfer_data',
    ),
    automatic_tax: automaticTax(context, sent.customer, sent.automatic_tax),
    billing_cycle_anchor: anchor,
    billing_mode: {
      flexible:
        sent.billing_mode?.type === 'classic'
          ? null
          : { proration_discounts: sent.billing_mode?.flexible?.proration_discounts ?? 'included' },
      type: sent.billing_mode?.type ?? 'flexible',
    },
    billing_schedules: [],
    cancel_at: sent.cancel_at_period_end ? period.end : (sent.cancel_at ?? null),
    cancel_at_period_end: sent.cancel_at_period_end ?? false,
    canceled_at: sent.cancel_at_period_end || sent.cancel_at ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ...collectionTerms(sent),
    created: now,
    currency: first?.price.currency ?? 'usd',
    customer: sent.customer,
    default_payment_method: sent.default_payment_method ?? null,
    default_tax_rates: [],
    description: sent.description ?? null,
    discounts: [],
    invoice_settings: noInvoiceSettings,
    items: {
      object: 'list',
      data: items.map((item) => newItem(context, id, item, period)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    livemode: false,
    metadata: mergeMetadata({}, sent.metadata),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: settings?.payment_method_types ?? null,
      save_default_payment_method: settings?.save_default_payment_method ?? 'off',
    },
    start_date: now,
    status: trial === null ? 'incomplete' : 'trialing',
    trial_end: trial,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: sent.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    trial_start: trial === null ? null : now,
  }
}
