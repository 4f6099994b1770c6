import type Stripe from 'stripe'
import { change } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { sum } from '../state/sum.ts'
import { isEnded } from '../subscriptions/subscriptionStatus.ts'
import { invalidRequest } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Wire } from '../wire/wire.ts'
import { inSum, taxInvoice } from './automaticTax.ts'
import { wireLine } from './invoiceLines.ts'
import type { Invoice } from './invoices.ts'

/** An invoice item in its unexpanded wire form. */
export type InvoiceItem = Wire<Stripe.InvoiceItem>
type Line = Wire<Stripe.InvoiceLineItem>

/** The line that bills an item. */
export function itemLine({ store }: Pick<Context, 'store'>, item: InvoiceItem): DraftLine {
  const price = store.get('prices', item.pricing?.price_details?.price ?? '')
  if (price === undefined) throw new Error(`invoice item ${item.id} has no price`)
  const { amount, quantity, period } = item
  const description = item.description ?? store.get('products', price.product)?.name ?? ''
  return { item: { id: '', price, quantity }, invoice_item: item, amount, description, period, off: [] }
}

/** The items of a customer that wait for an invoice in this currency, newest first: those of the subscription, and those of none. */
export function pendingItems(
  { store }: Pick<Context, 'store'>,
  { customer, currency }: { customer: string; currency: string },
  subscription: string | undefined,
): InvoiceItem[] {
  const rows = store.all('invoiceitems').filter((row) => {
    const own = row.parent?.subscription_details?.subscription
    return (
      row.invoice === null &&
      row.customer === customer &&
      row.currency === currency &&
      (own ?? subscription) === subscription
    )
  })
  return rows.toReversed()
}

/** The lines of what waits for the next invoice of a subscription. */
export function pendingItemLines(context: Context, subscription: Wire<Stripe.Subscription>): DraftLine[] {
  return pendingItems(context, subscription, subscription.id).map((item) => itemLine(context, item))
}

/** Throws a 400 if a customer has subscriptions or waiting invoice items in another currency. */
export function requireOneCurrency({ store }: Pick<Context, 'store'>, customer: string, currency: string): void {
  const isOther = (row: { customer: string; currency: string }) =>
    row.customer === customer && row.currency !== currency
  const other =
    store.all('subscriptions').find((row) => isOther(row) && !isEnded(row)) ??
    store.all('invoiceitems').find((row) => isOther(row) && row.invoice === null)
  if (other === undefined) return
  throw invalidRequest(
    'You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, ' +
      `quote, or invoice item with currency ${other.currency}.`,
  )
}

const taxOf = (line: Line, behavior: 'exclusive' | 'inclusive') =>
  sum((line.taxes ?? []).map(({ tax_behavior, amount }) => (tax_behavior === behavior ? amount : 0)))

/** The amounts of a draft after a line without discounts is added to it or, with the sign -1, taken off it. */
function amountsWith(invoice: Invoice, line: Line, sign: 1 | -1): Partial<Invoice> {
  const net = sign * (line.amount - taxOf(line, 'inclusive'))
  const total = invoice.total + sign * (line.amount + taxOf(line, 'exclusive'))
  const due = Math.max(0, total + invoice.starting_balance)
  const taxes = (line.taxes ?? []).map((tax) => ({
    ...tax,
    amount: sign * tax.amount,
    taxable_amount: sign * (tax.taxable_amount ?? 0),
  }))
  return {
    amount_due: due,
    amount_remaining: due,
    subtotal: invoice.subtotal + sign * line.amount,
    subtotal_excluding_tax: (invoice.subtotal_excluding_tax ?? 0) + net,
    total,
    total_excluding_tax: (invoice.total_excluding_tax ?? 0) + net,
    total_taxes: inSum([...(invoice.total_taxes ?? []), ...taxes]),
  }
}

/** The draft of an item that is on an invoice. Throws a 400 if the invoice is finalized. */
export function requireDraft({ store }: Pick<Context, 'store'>, id: string, param: string): Invoice {
  const invoice = store.get('invoices', id)
  if (invoice?.status !== 'draft') {
    const message = 'This invoice is no longer editable: its items can only be changed while it is a draft.'
    throw invalidRequest(message, 'invoice_not_editable', param)
  }
  if (invoice.discounts.length === 0) return invoice
  throw notCovered('value', 'changing the items of a draft that has discounts', param)
}

/** A draft without the line of `item`, or with its line as it is now (the last if it had none). Nothing is written. */
export function redrafted(context: Context, draft: Invoice, item: InvoiceItem, how: 'with' | 'without'): Invoice {
  const isOwn = (line: Line) => line.parent?.invoice_item_details?.invoice_item === item.id
  const before = draft.lines.data.find(isOwn)
  const less = before === undefined ? draft : { ...draft, ...amountsWith(draft, before, -1) }
  const data = draft.lines.data.filter((line) => !isOwn(line))
  const linesOf = (lines: Line[]) => ({ lines: { ...draft.lines, data: lines } })
  if (how === 'without') return { ...less, ...linesOf(data) }
  const line = itemLine(context, item)
  const customer = context.store.get('customers', item.customer)
  const [taxes = []] = taxInvoice(context, draft, customer, [line]).lines
  const owner = { invoice: draft.id, currency: draft.currency, subscription: null }
  const wired = { ...wireLine(context, owner, line, taxes), ...(before && { id: before.id }) }
  const place = before === undefined ? data.length : draft.lines.data.indexOf(before)
  return { ...less, ...amountsWith(less, wired, 1), ...linesOf(data.toSpliced(place, 0, wired)) }
}

/** Writes a draft anew after `item` was added, changed or taken off. */
export function changeDraft(context: Context, draft: Invoice, item: InvoiceItem, how: 'with' | 'without'): Invoice {
  return change(context, 'invoices', draft, redrafted(context, draft, item, how), 'invoice.updated')
}
