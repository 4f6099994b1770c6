import { emit } from '../resources/events.ts'
import type { AccountSettings, Context } from '../state/context.ts'
import { giveUp, subscriptionOf } from './collection.ts'
import { isSent } from './collectionTerms.ts'
import type { Invoice } from './invoices.ts'

const day = 86_400

/** Something that falls due at a time, in unix seconds. */
export interface Due {
  at: number
  run: (context: Context) => void
}

/** What happens to a sent invoice while it is unpaid, once each: `days` after its due date, or before it if negative. */
interface Step {
  name: string
  days: number
  run: (context: Context, invoice: Invoice) => void
}

/** Sends an invoice to its customer: `invoice.sent`, and as in test mode no mail. */
export function sendInvoice(context: Context, invoice: Invoice): Invoice {
  emit(context, 'invoice.sent', invoice)
  return invoice
}

function remind(type: 'invoice.will_be_due' | 'invoice.overdue') {
  // An invoice whose subscription has ended is no longer collected.
  return (context: Context, invoice: Invoice) => {
    if (invoice.auto_advance) emit(context, type, invoice)
  }
}

function becomePastDue(context: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(context, invoice)
  if (subscription?.status === 'active') giveUp(context, subscription, 'past_due')
}

function endUnpaid(context: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(context, invoice)
  if (subscription?.status === 'past_due') giveUp(context, subscription, context.settings.afterDue)
}

function stepsOf(settings: AccountSettings): Step[] {
  return [
    ...settings.willBeDueDays.map((days) => {
      return { name: `will_be_due ${days}`, days: -days, run: remind('invoice.will_be_due') }
    }),
    { name: 'past_due', days: 0, run: becomePastDue },
    ...settings.overdueDays.map((days) => ({ name: `overdue ${days}`, days, run: remind('invoice.overdue') })),
    { name: 'end', days: settings.afterDueDays, run: endUnpaid },
  ]
}

function take({ name, run }: Step, id: string): Due['run'] {
  return (context) => {
    const invoice = context.store.get('invoices', id)
    if (invoice === undefined) return
    const done = context.store.get('invoice_steps', id)?.done ?? []
    context.store.put('invoice_steps', { id, done: [...done, name] })
    run(context, invoice)
  }
}

/**
 * What falls due of a sent invoice that is open: reminders, the due date on which its subscription becomes past due, and the end that
 * the account's settings name. An invoice finalized after its due date is past due at once, and is not announced any more.
 */
export function sentInvoiceDues({ store, settings }: Pick<Context, 'store' | 'settings'>, invoice: Invoice): Due[] {
  const { id, status, due_date: due, created } = invoice
  if (status !== 'open' || due === null || !isSent(invoice)) return []
  const opened = invoice.status_transitions.finalized_at ?? created
  const done = store.get('invoice_steps', id)?.done ?? []
  return stepsOf(settings)
    .filter(({ name, days }) => !done.includes(name) && (days >= 0 || due + days * day >= opened))
    .map((step) => ({ at: Math.max(opened, due + step.days * day), run: take(step, id) }))
}
