import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { usableMethod } from '../payments/paymentMethods.ts'
import { change, emit } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { exclusiveParams, invalidRequest, missingParam, notInFuture } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { automaticTax } from './automaticTax.ts'
import { collectionTerms, dueDate, isSent, requireEmail } from './collectionTerms.ts'
import { writeDraft } from './draftInvoice.ts'
import { firstAttemptSeconds } from './invoiceActions.ts'
import { itemLine, pendingItems, requireOneCurrency } from './invoiceItems.ts'
import type { Invoice } from './invoices.ts'

const shape = {
  auto_advance: p.flag().optional(),
  collection_method: p.word(['charge_automatically', 'send_invoice']).optional(),
  days_until_due: p.integer(0).optional(),
  default_payment_method: p.text().optional(),
  description: p.text(1500).optional(),
  due_date: p.integer().optional(),
  footer: p.text().optional(),
  metadata: p.metadata().optional(),
}

const uncovered = words(
  'account_tax_ids application_fee_amount automatically_finalizes_at custom_fields default_source',
  'default_tax_rates discounts effective_at issuer number on_behalf_of payment_settings rendering',
  'shipping_cost shipping_details statement_descriptor transfer_data',
)

/** Parameters of https://docs.stripe.com/api/invoices/create. */
export const createParams = p.paramsFor<Stripe.InvoiceCreateParams>()(
  {
    ...shape,
    automatic_tax: p.nested({ enabled: p.flag() }, ['liability']).optional(),
    currency: p.text(3).optional(),
    customer: p.text().optional(),
    pending_invoice_items_behavior: p.word(['exclude', 'include']).optional(),
  },
  [...uncovered, 'customer_account', 'from_invoice', 'subscription'],
)

/** Parameters of https://docs.stripe.com/api/invoices/update. */
export const updateParams = p.paramsFor<Stripe.InvoiceUpdateParams>()(shape, [...uncovered, 'automatic_tax'])

type Sent = p.ParsedBy<typeof updateParams>
type Terms = Pick<Wire<Stripe.Subscription>, 'collection_method' | 'days_until_due'>

/** When a sent invoice is due: at the named time or after the named days. Throws a 400 if neither is known, or if a card is charged. */
function termsOf(context: Context, sent: Sent, before?: Terms): { terms: Terms; due_date: number | null } {
  const { due_date: due } = sent
  if (due !== undefined && sent.days_until_due !== undefined) throw exclusiveParams('days_until_due', 'due_date')
  if (due !== undefined && due <= context.now) throw notInFuture('due_date')
  const collection_method = sent.collection_method ?? before?.collection_method ?? 'charge_automatically'
  if (due !== undefined && isSent({ collection_method }))
    return { terms: { collection_method, days_until_due: null }, due_date: due }
  if (due !== undefined)
    throw invalidRequest("You can only specify 'due_date' if invoice collection method is 'send_invoice'.")
  const terms = collectionTerms(sent, before)
  return { terms, due_date: dueDate(terms, context.now) }
}

/** When a draft is finalized by itself; null if it is not. */
function finalizesAt({ now, settings }: Context, advances: boolean): number | null {
  return advances ? now + settings.draftSeconds : null
}

/**
 * Drafts an invoice by hand, empty or of what waits for the customer's next invoice. It is finalized by itself only with `auto_advance`.
 */
export function createInvoice(context: Context, sent: p.ParsedBy<typeof createParams>): Invoice {
  const { auto_advance = false, automatic_tax, default_payment_method = null, description = null, footer = null } = sent
  if (sent.customer === undefined) throw missingParam('customer')
  const customer = requireRow(context, 'customers', sent.customer, 'customer')
  if (default_payment_method !== null)
    usableMethod(context, default_payment_method, customer.id, 'default_payment_method')
  const { terms, due_date } = termsOf(context, sent)
  if (isSent(terms)) requireEmail(context, customer.id)
  const currency = sent.currency?.toLowerCase() ?? currencyOf(context, customer)
  requireOneCurrency(context, customer.id, currency)
  const owner = { customer: customer.id, currency }
  const items = sent.pending_invoice_items_behavior === 'include' ? pendingItems(context, owner, undefined) : []
  const billed = { ...owner, ...terms, automatic_tax: automaticTax(context, customer.id, automatic_tax), discounts: [] }
  return writeDraft(context, billed, {
    subscription: null,
    lines: items.map((item) => itemLine(context, item)),
    own: {
      auto_advance,
      automatically_finalizes_at: finalizesAt(context, auto_advance),
      billing_reason: 'manual',
      default_payment_method,
      description,
      due_date,
      footer,
      metadata: p.mergeMetadata({}, sent.metadata),
      period_end: context.now,
      period_start: context.now,
    },
  })
}

/** The currency of what waits for the customer, else that in which the customer was billed, else that of the account. */
function currencyOf({ store }: Context, customer: Wire<Stripe.Customer>): string {
  const waiting = store.all('invoiceitems').find((row) => row.customer === customer.id && row.invoice === null)
  return waiting?.currency ?? customer.currency ?? 'usd'
}

/** What Stripe does by itself with an invoice: finalizes a draft, and charges an open invoice. */
function advanced(context: Context, invoice: Invoice, advances: boolean): Partial<Invoice> {
  if (invoice.status === 'draft') return { automatically_finalizes_at: finalizesAt(context, advances) }
  if (invoice.status !== 'open' || isSent(invoice)) return {}
  return { next_payment_attempt: advances ? context.now + firstAttemptSeconds : null }
}

/** Names of what may change after an invoice is finalized. */
const alwaysEditable = ['auto_advance', 'default_payment_method', 'description', 'footer', 'metadata']

/** Updates a draft, or of a finalized invoice what is not about money. */
export function updateInvoice(context: Context, invoice: Invoice, sent: Sent): Invoice {
  const { collection_method, days_until_due, due_date: _due, ...others } = sent
  const isDraft = invoice.status === 'draft'
  const fixed = Object.keys(p.given(sent)).find((name) => !alwaysEditable.includes(name))
  if (!isDraft && fixed !== undefined) {
    const message = `Finalized invoices can't be updated in this way: ${fixed} can only be changed while the invoice is a draft.`
    throw invalidRequest(message, 'invoice_not_editable', fixed)
  }
  if (sent.default_payment_method !== undefined && invoice.customer !== null)
    usableMethod(context, sent.default_payment_method, invoice.customer, 'default_payment_method')
  const patch = {
    ...p.sentChanges(invoice, others),
    ...(fixed !== undefined &&
      changedTerms(context, invoice, { collection_method, days_until_due, due_date: sent.due_date })),
    ...(sent.auto_advance !== undefined && advanced(context, invoice, sent.auto_advance)),
  }
  return change(context, 'invoices', invoice, patch, 'invoice.updated')
}

function changedTerms(context: Context, invoice: Invoice, sent: Sent): Partial<Invoice> {
  const due = invoice.due_date
  const keepsDue =
    due !== null &&
    sent.days_until_due === undefined &&
    sent.due_date === undefined &&
    sent.collection_method !== 'charge_automatically'
  if (keepsDue) return {}
  const { terms, due_date } = termsOf(context, sent, {
    collection_method: invoice.collection_method ?? 'charge_automatically',
    days_until_due: null,
  })
  if (isSent(terms) && invoice.customer !== null) requireEmail(context, invoice.customer)
  return { collection_method: terms.collection_method, due_date }
}

/** Deletes a draft by hand with its items. Throws a 400 if the invoice is finalized, or bills a subscription. */
export function deleteInvoice(context: Context, invoice: Invoice): Wire<Stripe.DeletedInvoice> {
  const { id } = invoice
  if (invoice.parent?.subscription_details != null)
    throw invalidRequest("You can't delete invoices created by subscriptions.")
  if (invoice.status !== 'draft') throw invalidRequest('You can only delete draft invoices.', 'invoice_not_editable')
  for (const item of context.store.all('invoiceitems'))
    if (item.invoice === id) context.store.remove('invoiceitems', item.id)
  context.store.remove('invoices', id)
  emit(context, 'invoice.deleted', invoice)
  return { id, object: 'invoice', deleted: true }
}
