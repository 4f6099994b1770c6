import type Stripe from 'stripe'
import { nulls } from '../params/words.ts'
import { change, create } from '../resources/events.ts'
import { type Context, newId } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { sum } from '../state/sum.ts'
import type { Wire } from '../wire/wire.ts'
import { taxInvoice } from './automaticTax.ts'
import { dueDate } from './collectionTerms.ts'
import { wireLine } from './invoiceLines.ts'
import { addressee, type Invoice } from './invoices.ts'

type Subscription = Wire<Stripe.Subscription>

/** On what terms an invoice is drafted. */
type Terms = Pick<
  Subscription,
  'automatic_tax' | 'collection_method' | 'currency' | 'customer' | 'days_until_due' | 'discounts'
>

/** What a draft bills, and its own members beside those that follow from its lines. */
interface Draft {
  subscription: Subscription | null
  lines: DraftLine[]
  own: Pick<Invoice, 'billing_reason' | 'period_end' | 'period_start'> & Partial<Invoice>
}

/**
 * Writes a draft invoice of a subscription, event `invoice.created` included. The customer's currency becomes that of the subscription: a
 * customer whose subscriptions have all ended may begin anew in another currency.
 */
export function draftInvoice(
  context: Context,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
  lines: DraftLine[],
  period: { start: number; end: number },
): Invoice {
  const own = { billing_reason: reason, period_end: period.end, period_start: period.start }
  return writeDraft(context, subscription, { subscription, lines, own })
}

/** Writes a draft invoice, event `invoice.created` included. The invoice items among its lines are no longer pending. */
export function writeDraft(context: Context, terms: Terms, { subscription, lines, own }: Draft): Invoice {
  const { store, now } = context
  const id = newId(context, 'invoices')
  const { currency, discounts } = terms
  const customer = store.get('customers', terms.customer)
  if (customer !== undefined && customer.currency !== currency)
    change(context, 'customers', customer, { currency }, 'customer.updated')
  for (const { invoice_item } of lines)
    if (invoice_item !== undefined) store.put('invoiceitems', { ...invoice_item, invoice: id })
  const subtotal = sum(lines.map((line) => line.amount))
  const tax = taxInvoice(context, terms, customer, lines)
  const off = lines.flatMap((line) => line.off)
  const total = subtotal - sum(off.map(({ amount }) => amount)) + tax.exclusive
  // A credit of the customer is a negative balance. Finalizing the invoice settles how much of it remains.
  const balance = customer?.balance ?? 0
  const due = Math.max(0, total + balance)
  const invoice: Invoice = {
    id,
    object: 'invoice',
    ...nulls(
      'account_name account_tax_ids application automatically_finalizes_at custom_fields',
      'customer_account customer_shipping default_payment_method default_source description',
      'effective_at ending_balance footer from_invoice hosted_invoice_url invoice_pdf',
      'last_finalization_error latest_revision next_payment_attempt number on_behalf_of receipt_number',
      'rendering shipping_cost shipping_details statement_descriptor test_clock',
    ),
    account_country: 'US',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_paid_off_stripe: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: tax.automatic_tax,
    collection_method: terms.collection_method,
    created: now,
    currency,
    customer: terms.customer,
    ...addressee(context, customer),
    default_tax_rates: [],
    discounts,
    due_date: dueDate(terms, now),
    issuer: { type: 'self' },
    lines: {
      object: 'list',
      data: lines.map((line, index) =>
        wireLine(context, { invoice: id, currency, subscription }, line, tax.lines[index] ?? []),
      ),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - tax.in_subtotal,
    total,
    total_discount_amounts: discounts.map((discount) => {
      return { amount: sum(off.flatMap((row) => (row.discount === discount ? [row.amount] : []))), discount }
    }),
    total_excluding_tax: total - sum(tax.total.map(({ amount }) => amount)),
    total_pretax_credit_amounts: [],
    total_taxes: tax.total,
    webhooks_delivered_at: now,
    ...own,
  }
  return create(context, 'invoices', invoice, 'invoice.created')
}
