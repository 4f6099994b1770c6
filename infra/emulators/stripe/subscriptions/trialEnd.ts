import type Stripe from 'stripe'
import { defaultMethod } from '../invoices/collection.ts'
import { isSent } from '../invoices/collectionTerms.ts'
import { changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { Wire } from '../wire/wire.ts'
import { endSubscription } from './subscriptionEnd.ts'
import { pauseSubscription } from './subscriptionPause.ts'

type Subscription = Wire<Stripe.Subscription>

/**
 * Cancels or pauses a subscription whose trial ends without a card, as its trial settings say, whether the clock or `trial_end=now` ends it.
 * An update that ends it is written before. If the trial is to end with an invoice, nothing is written and undefined is returned.
 */
export function endTrialWithoutCard(
  context: Context,
  found: Subscription,
  update: Partial<Subscription> = {},
): Subscription | undefined {
  const updated = { ...found, ...update }
  if (found.status !== 'trialing' || isSent(updated) || defaultMethod(context, updated) !== null) return undefined
  const behavior = updated.trial_settings?.end_behavior.missing_payment_method
  if (behavior !== 'cancel' && behavior !== 'pause') return undefined
  const subscription = changeSubscription(context, found, update)
  return behavior === 'cancel'
    ? endSubscription(context, subscription, null)
    : pauseSubscription(context, subscription, 'trial_end_without_payment_method')
}
