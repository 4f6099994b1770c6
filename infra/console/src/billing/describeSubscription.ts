import type { Role, Subscription } from '../app/types.ts'
import { may } from '../organizations/permissions.ts'
import { formatDay } from '../ui/format.ts'
import type { Tone } from '../ui/tone.ts'

/** A subscription in a customer's words. */
export interface SubscriptionDescription {
  readonly badge: string
  readonly tone: Tone
  /** Until when, or what it waits for. */
  readonly line: string
}

/** What is shown of a subscription: its state, and until when or what for. */
export function describeSubscription(subscription: Subscription, locale?: string): SubscriptionDescription {
  const { status, action, cancel_at, ended_at, current_period_end, gateway } = subscription
  const day = (time: string | null) => (time === null ? '' : formatDay(time, locale))
  if (status === 'canceled')
    return { badge: 'Ended', tone: 'neutral', line: ended_at ? `Ended on ${day(ended_at)}` : '' }
  if (action === 'wait') return { badge: 'Processing', tone: 'neutral', line: 'The payment is being processed.' }
  if (action === 'confirm_payment')
    return { badge: 'Confirmation needed', tone: 'warn', line: 'Your bank asks you to confirm the payment.' }
  if (status === 'incomplete')
    return { badge: 'Payment failed', tone: 'bad', line: 'The payment did not go through. It starts once it is paid.' }
  if (status === 'past_due' || status === 'unpaid') {
    const what = gateway === 'invoice' ? 'An invoice is overdue.' : 'The last payment failed.'
    return { badge: 'Payment overdue', tone: 'bad', line: `${what} Pay it to keep the product.` }
  }
  if (status === 'paused') return { badge: 'Paused', tone: 'warn', line: 'It is paused. Contact support to go on.' }
  if (cancel_at !== null) return { badge: 'Ends soon', tone: 'warn', line: `Canceled. Works until ${day(cancel_at)}` }
  if (status === 'trialing') return { badge: 'Trial', tone: 'good', line: `Trial until ${day(current_period_end)}` }
  return { badge: 'Active', tone: 'good', line: current_period_end ? `Renews on ${day(current_period_end)}` : '' }
}

export type SubscriptionAction = 'confirm' | 'pay' | 'open invoices' | 'resume' | 'cancel'

/** Which buttons a subscription has for a role, the most urgent first. */
export function actionsOf({ status, action, cancel_at, gateway }: Subscription, role: Role): SubscriptionAction[] {
  if (!may(role, 'buy') || status === 'canceled' || status === 'pending') return []
  const payment = gateway === 'invoice' ? 'open invoices' : 'pay'
  return [
    ...(action === 'confirm_payment' ? (['confirm'] as const) : []),
    ...(action === 'update_payment_method' ? ([payment] as const) : []),
    cancel_at === null ? 'cancel' : 'resume',
  ]
}
