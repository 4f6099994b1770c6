import type Stripe from 'stripe'
import { nulls } from '../params/words.ts'
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
  issuer: { type: 'self' as const },
  ...nulls('account_tax_ids custom_fields description footer'),
}

/** The present period of a subscription as the only phase of its schedule. */
function phaseOf(subscription: Subscription): Wire<Stripe.SubscriptionSchedule.Phase> {
  const items = subscription.items.data
  return {
    add_invoice_items: [],
    currency: subscription.currency,
    default_tax_rates: [],
    discounts: subscription.discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: Math.max(...items.map((item) => item.current_period_end)),
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
    proration_behavior: 'create_prorations',
    start_date: Math.min(...items.map((item) => item.current_period_start)),
    trial_end: subscription.trial_end,
    ...nulls(
      'application_fee_percent billing_cycle_anchor billing_thresholds collection_method',
      'default_payment_method description invoice_settings on_behalf_of transfer_data',
    ),
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
    ...nulls('application canceled_at completed_at customer_account released_at released_subscription', 'test_clock'),
    billing_mode: subscription.billing_mode,
    created: context.now,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    default_settings: {
      billing_cycle_anchor: 'automatic',
      collection_method: subscription.collection_method,
      invoice_settings: { ...noInvoiceSettings, days_until_due: subscription.days_until_due },
      ...nulls(
        'application_fee_percent billing_thresholds default_payment_method description on_behalf_of',
        'transfer_data',
      ),
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [phase],
    status: 'active',
    subscription: subscription.id,
  }
  create(context, 'subscription_schedules', schedule, 'subscription_schedule.created')
  changeSubscription(context, subscription, { schedule: schedule.id })
  return schedule
}

/**
 * Ends a schedule and leaves its subscription unchanged, except for an end that the schedule has set and that is not to be kept. Throws a 400
 * unless the schedule is active.
 */
export function releaseSchedule(context: Context, schedule: Schedule, cancelDate: 'kept' | 'dropped'): Schedule {
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
  const isDropped = cancelDate === 'dropped' && schedule.end_behavior === 'cancel'
  if (subscription) {
    changeSubscription(context, subscription, {
      schedule: null,
      ...(isDropped && { cancel_at: null, canceled_at: null }),
    })
  }
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
