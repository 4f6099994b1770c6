import type Stripe from 'stripe'
import { nulls } from '../params/words.ts'
import { change, create } from '../resources/events.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { sum } from '../state/sum.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { cancelPayment, type Invoice, intentOf, paymentOf, settleInvoice } from './invoices.ts'

/** A credit note in its unexpanded wire form. */
export type CreditNote = Wire<Stripe.CreditNote>

/** A line of a credit note before it is written. */
export interface CreditLine {
  amount: number
  description: string | null
  invoice_line_item?: string
}

/** What a credit note takes off an invoice, and how what was paid already comes back. */
interface CreditTerms {
  lines: CreditLine[]
  refunds: Wire<Stripe.Refund>[]
  credit: number
  out_of_band: number | null
  reason: string | null
  memo: string | null
  metadata: Record<string, string>
  effective_at: number
}

function wireLine(context: Context, line: CreditLine): Wire<Stripe.CreditNoteLineItem> {
  return {
    id: `cnli_${randomText(context.random, 24)}`,
    object: 'credit_note_line_item',
    amount: line.amount,
    description: line.description,
    discount_amount: 0,
    discount_amounts: [],
    ...(line.invoice_line_item !== undefined && { invoice_line_item: line.invoice_line_item }),
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: null,
    tax_rates: [],
    taxes: [],
    type: line.invoice_line_item === undefined ? 'custom_line_item' : 'invoice_line_item',
    unit_amount: null,
    unit_amount_decimal: null,
  }
}

/** Lowers the amount due: the open payment asks for the rest. If nothing is left to pay, the invoice becomes paid. */
export function lowerDue(context: Context, invoice: Invoice, amount: number): Invoice {
  const patch = {
    amount_due: invoice.amount_due - amount,
    amount_remaining: invoice.amount_remaining - amount,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + amount,
  }
  const payment = paymentOf(context, invoice.id)
  const intent = intentOf(context, invoice.id)
  const lowered = change(context, 'invoices', invoice, patch, 'invoice.updated')
  if (payment === undefined || intent === undefined) return lowered
  if (lowered.amount_remaining > 0) {
    change(context, 'invoice_payments', payment, { amount_requested: lowered.amount_remaining })
    change(context, 'payment_intents', intent, { amount: lowered.amount_remaining })
    return lowered
  }
  cancelPayment(context, lowered)
  return settleInvoice(context, lowered)
}

function creditCustomer(context: Context, invoice: Invoice, amount: number): void {
  const customer = invoice.customer === null ? undefined : context.store.get('customers', invoice.customer)
  if (amount === 0 || customer === undefined) return
  change(context, 'customers', customer, { balance: customer.balance - amount }, 'customer.updated')
}

/**
 * Issues a credit note (https://docs.stripe.com/invoicing/integration/programmatic-credit-notes). If the invoice is open, the note lowers
 * the amount due. If it is paid, the whole amount must come back as refund, as credit of the customer, or outside Stripe. It never exceeds
 * the invoice.
 */
export function issueCreditNote(context: Context, invoice: Invoice, terms: CreditTerms): CreditNote {
  const total = sum(terms.lines.map(({ amount }) => amount))
  const open = invoice.status === 'open'
  const back = sum(terms.refunds.map(({ amount }) => amount)) + terms.credit + (terms.out_of_band ?? 0)
  const left = open ? invoice.amount_remaining : invoice.amount_paid - invoice.post_payment_credit_notes_amount
  if (total > left) {
    throw invalidRequest(`The credit note of ${total} is more than the ${left} of the invoice that can be credited.`)
  }
  if (back !== (open ? 0 : total)) {
    const message = `The sum of credit amount, refund amount and out of band amount (${back}) must equal ${open ? 0 : total}: the invoice is ${invoice.status}.`
    throw invalidRequest(message)
  }
  const earlier = context.store.all('credit_notes').filter((note) => note.invoice === invoice.id).length
  const id = newId(context, 'credit_notes')
  const note: CreditNote = {
    id,
    object: 'credit_note',
    ...nulls('customer_account customer_balance_transaction shipping_cost voided_at'),
    amount: total,
    amount_shipping: 0,
    created: context.now,
    currency: invoice.currency,
    customer: invoice.customer ?? '',
    discount_amount: 0,
    discount_amounts: [],
    effective_at: terms.effective_at,
    invoice: invoice.id,
    lines: {
      object: 'list',
      data: terms.lines.map((line) => wireLine(context, line)),
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    livemode: false,
    memo: terms.memo,
    metadata: terms.metadata,
    number: `${invoice.number}-CN-${String(earlier + 1).padStart(2, '0')}`,
    out_of_band_amount: terms.out_of_band,
    pdf: `https://pay.stripe.com/credit_notes/${id}/pdf`,
    post_payment_amount: open ? 0 : total,
    pre_payment_amount: open ? total : 0,
    pretax_credit_amounts: [],
    reason: terms.reason,
    refunds: terms.refunds.map((refund) => ({
      amount_refunded: refund.amount,
      payment_record_refund: null,
      refund: refund.id,
      type: 'refund' as const,
    })),
    status: 'issued',
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    total_taxes: [],
    type: total > 0 && !open ? 'post_payment' : 'pre_payment',
  }
  const issued = create(context, 'credit_notes', note, 'credit_note.created')
  if (open) lowerDue(context, invoice, total)
  else {
    const post_payment_credit_notes_amount = invoice.post_payment_credit_notes_amount + total
    change(context, 'invoices', invoice, { post_payment_credit_notes_amount }, 'invoice.updated')
    creditCustomer(context, invoice, terms.credit)
  }
  return issued
}
