import type { Role, Subscription } from '../app/types.ts'
import { may } from '../organizations/permissions.ts'
import type { Localization } from '../texts/createLocalization.ts'
import type { Tone } from '../ui/tone.ts'

/** A subscription in a customer's words. */
interface SubscriptionDescription {
  readonly badge: string
  readonly tone: Tone
  /** Its end or next charge, or the reason why it waits. */
  readonly line: string
  /** Its next charge, if the line does not say it. */
  readonly next?: string | null
}

/**
 * The description of a subscription: its state, its end or the reason why it waits, and its next charge.
 * @param now the record may not say yet that a scheduled end has come
 */
export function describeSubscription(
  subscription: Subscription,
  { texts, format }: Pick<Localization, 'texts' | 'format'>,
  now = new Date(),
): SubscriptionDescription {
  const { states, nextCharge } = texts.products
  const { status, gateway, action, cancel_at, ended_at, current_period_end, price, next_charge } = subscription
  const { canceled, ending, trialing, active, invoiced } = states
  const charge = price &&
    next_charge && { amount: format.money(next_charge.amount, price.currency), day: format.day(next_charge.at) }
  const next = charge && nextCharge[gateway === 'card' ? 'attempt' : 'invoice'](charge.amount, charge.day)
  if (status === 'canceled')
    return { badge: canceled.badge, tone: 'neutral', line: ended_at ? canceled.line(format.day(ended_at)) : '' }
  if (cancel_at !== null && hasEnded(subscription, now))
    return { badge: canceled.badge, tone: 'neutral', line: canceled.line(format.day(cancel_at)) }
  if (action === 'wait') return { ...states.wait, tone: 'neutral' }
  if (action === 'confirm_payment') return { ...states.confirm, tone: 'warn', next }
  if (status === 'incomplete') return { ...states.incomplete, tone: 'bad' }
  if (isOverdue(subscription)) return { ...states[overdue(subscription)], tone: 'bad', next }
  if (status === 'paused') return { ...states.paused, tone: 'warn' }
  const isInvoiceOpen = action === 'pay_invoice'
  if (cancel_at !== null)
    return { badge: ending.badge, tone: 'warn', line: ending.line(format.day(cancel_at), isInvoiceOpen) }
  const { badge, line, charged } =
    status === 'trialing' ? trialing : isBilledByInvoice(subscription) ? invoiced : active
  if (charge) return { badge, tone: 'good', line: charged(charge.day, isInvoiceOpen, charge.amount) }
  return { badge, tone: 'good', line: current_period_end ? line(format.day(current_period_end), isInvoiceOpen) : '' }
}

/** Whether its scheduled end has come. */
function hasEnded({ cancel_at }: Subscription, now: Date): boolean {
  return cancel_at !== null && Date.parse(cancel_at) <= now.getTime()
}

/** A subscription stays past due after the invoice of its renewal was voided; there is nothing to pay until the next renewal. */
function isOverdue({ status, gateway, action }: Subscription): boolean {
  return status === 'unpaid' || (status === 'past_due' && !(gateway === 'card' && action === 'none'))
}

/** A product works while its subscription is past due, and does not once it is unpaid. */
function overdue({ status, gateway }: Subscription): 'overdue' | 'invoiceOverdue' | 'invoiceUnpaid' {
  if (gateway === 'card') return 'overdue'
  return status === 'unpaid' ? 'invoiceUnpaid' : 'invoiceOverdue'
}

/** Whether it is paid by invoice, even if it has ended: its last invoice may still be open. */
export function isBilledByInvoice({ gateway }: Pick<Subscription, 'gateway'>): boolean {
  return gateway === 'invoice'
}

type SubscriptionAction = 'confirm' | 'pay' | 'pay invoice' | 'resume' | 'cancel'

/** Which buttons a subscription has for a role, the most urgent first. */
export function actionsOf(subscription: Subscription, role: Role, now = new Date()): SubscriptionAction[] {
  const { status, action, cancel_at } = subscription
  if (!may(role, 'buy') || status === 'canceled' || status === 'pending' || hasEnded(subscription, now)) return []
  return [
    ...(action === 'confirm_payment' ? (['confirm'] as const) : []),
    ...(action === 'update_payment_method' ? (['pay'] as const) : []),
    ...(action === 'pay_invoice' ? (['pay invoice'] as const) : []),
    cancel_at === null ? 'cancel' : 'resume',
  ]
}
