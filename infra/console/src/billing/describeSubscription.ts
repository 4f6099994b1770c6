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
  if (status === 'past_due' || status === 'unpaid')
    return {
      badge: gateway === 'invoice' ? 'Invoice overdue' : 'Payment overdue',
      tone: 'bad',
      line: overdue(subscription),
    }
  if (status === 'paused') return { badge: 'Paused', tone: 'warn', line: 'It is paused. Contact support to go on.' }
  const open = action === 'pay_invoice' ? '. An invoice is open.' : ''
  if (cancel_at !== null)
    return { badge: 'Ends soon', tone: 'warn', line: `Canceled. Works until ${day(cancel_at)}${open}` }
  if (status === 'trialing')
    return { badge: 'Trial', tone: 'good', line: `Trial until ${day(current_period_end)}${open}` }
  return {
    badge: 'Active',
    tone: 'good',
    line: current_period_end ? `Renews on ${day(current_period_end)}${open}` : '',
  }
}

/** A product works while its subscription is past due, and does not once it is unpaid. */
function overdue({ status, gateway }: Subscription): string {
  if (gateway === 'card') return 'The last payment failed. Pay it to keep the product.'
  if (status === 'unpaid') return 'An invoice was not paid in time. The product works again once it is paid.'
  return 'An invoice is overdue. The product still works: pay the invoice to keep it.'
}

/** Whether the organization is sent invoices for it, also where it has ended: its last one may be open still. */
export function isBilledByInvoice({ gateway }: Pick<Subscription, 'gateway'>): boolean {
  return gateway === 'invoice'
}

export type SubscriptionAction = 'confirm' | 'pay' | 'pay invoice' | 'resume' | 'cancel'

/** Which buttons a subscription has for a role, the most urgent first. */
export function actionsOf({ status, action, cancel_at }: Subscription, role: Role): SubscriptionAction[] {
  if (!may(role, 'buy') || status === 'canceled' || status === 'pending') return []
  return [
    ...(action === 'confirm_payment' ? (['confirm'] as const) : []),
    ...(action === 'update_payment_method' ? (['pay'] as const) : []),
    ...(action === 'pay_invoice' ? (['pay invoice'] as const) : []),
    cancel_at === null ? 'cancel' : 'resume',
  ]
}
