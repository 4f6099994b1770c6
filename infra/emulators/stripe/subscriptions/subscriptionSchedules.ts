import type Stripe from 'stripe'
import { change, changeSubscription, create } from '../resources/events.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { isEnded } from './subscriptionStatus.ts'

/** A schedule in its unexpanded wire form. */
export type Schedule = Wire<Stripe.SubscriptionSchedule>
type Subscription = Wire<Stripe.Subscription>

/** The `invoice_settings` of a subscription or schedule that sets none. */
export const noInvoiceSettings = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: { type: 'self' as const },
}

/** The present period of a subscription as the only phase of its schedule. */
function phaseOf(subscription: Subscription): Wire<Stripe.SubscriptionSchedule.Phase> {
  const items = subscription.items.data
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: subscription.currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription.discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: Math.max(...items.map((item) => item.current_period_end)),
    invoice_settings: null,
    items: items.map((item) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: item.metadata,
      plan: item.price.id,
      price: item.price.id,
      quantity: item.quantity ?? 1,
      tax_rates: [],
    })),
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'create_prorations',
    start_date: Math.min(...items.map((item) => item.current_period_start)),
    transfer_data: null,
    trial_end: subscription.trial_end,
  }
}

/** Puts a subscription under a schedule whose only phase is the present period. Throws a 400 if the subscription has a schedule or has ended. */
export function scheduleSubscription(
  context: Context,
  subscription: Subscription,
  metadata: Record<string, string>,
): Schedule {
  if (subscription.schedule !== null) {
    const message = `You cannot migrate a subscription that is already attached to a schedule: \`${subscription.schedule}\`.`
    throw invalidRequest(message, undefined, 'from_subscription')
  }
  if (isEnded(subscription) || subscription.status === 'incomplete') {
    const message = `You cannot migrate a subscription that is ${subscription.status} to a schedule.`
    throw invalidRequest(message, undefined, 'from_subscription')
  }
  const phase = phaseOf(subscription)
  const schedule: Schedule = {
    id: newId(context, 'subscription_schedules'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: context.now,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: subscription.collection_method,
      default_payment_method: null,
      description: null,
      invoice_settings: { ...noInvoiceSettings, days_until_due: subscription.days_until_due },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  }
  create(context, 'subscription_schedules', schedule, 'subscription_schedule.created')
  changeSubscription(context, subscription, { schedule: schedule.id })
  return schedule
}

/** Ends a schedule and leaves its subscription unchanged. Throws a 400 unless the schedule is active. */
export function releaseSchedule(context: Context, schedule: Schedule): Schedule {
  if (schedule.status !== 'active' || schedule.subscription === null) {
    const message = `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status.`
    throw invalidRequest(message)
  }
  const subscription = context.store.get('subscriptions', schedule.subscription)
  const patch = {
    status: 'released' as const,
    current_phase: null,
    released_at: context.now,
    released_subscription: schedule.subscription,
    subscription: null,
  }
  if (subscription) changeSubscription(context, subscription, { schedule: null })
  return change(context, 'subscription_schedules', schedule, patch, 'subscription_schedule.released')
}

/** Sets what happens at the end of the phase: with `cancel` the subscription ends then, with `release` it goes on. */
export function endScheduleWith(context: Context, schedule: Schedule, behavior: 'cancel' | 'release'): Schedule {
  const subscription =
    schedule.subscription === null ? undefined : context.store.get('subscriptions', schedule.subscription)
  const end = schedule.current_phase?.end_date
  if (schedule.status !== 'active' || subscription === undefined || end === undefined) {
    const message = `You cannot update a subscription schedule that is currently in the \`${schedule.status}\` status.`
    throw invalidRequest(message)
  }
  const cancel_at = behavior === 'cancel' ? end : null
  changeSubscription(context, subscription, { cancel_at })
  const patch = { end_behavior: behavior }
  return change(context, 'subscription_schedules', schedule, patch, 'subscription_schedule.updated')
}

/** Ends the schedule when its subscription ends: completed if that was planned, otherwise canceled. */
export function endSchedule(context: Context, { schedule: id, cancel_at }: Subscription): void {
  const schedule = id === null ? undefined : context.store.get('subscription_schedules', id)
  if (schedule?.status !== 'active') return
  const { now } = context
  const planned = cancel_at !== null && cancel_at <= now
  const patch = planned
    ? { status: 'completed' as const, completed_at: now, current_phase: null }
    : { status: 'canceled' as const, canceled_at: now, current_phase: null }
  const type = planned ? 'subscription_schedule.completed' : 'subscription_schedule.canceled'
  change(context, 'subscription_schedules', schedule, patch, type)
}
