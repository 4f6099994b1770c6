import type Stripe from 'stripe'
import { plainTerms } from '../payments/intents.ts'
import { cancelIntent, openIntent } from '../payments/paymentIntents.ts'
import { change, create, emit } from '../resources/events.ts'
import { taxIdsOf } from '../resources/taxIds.ts'
import { type Context, newId } from '../state/context.ts'
import type { Wire, WireEvent } from '../wire/wire.ts'
import { hostedUrls } from './hostedInvoice.ts'

/** An invoice in its unexpanded wire form. */
export type Invoice = Wire<Stripe.Invoice>

function openPayment(context: Context, invoice: Invoice, intent: string): void {
  create(context, 'invoice_payments', {
    id: newId(context, 'invoice_payments'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: context.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

/** The payment of an invoice, settled or not; an invoice keeps at most one. */
export function paymentOf(context: Context, invoice: string): Wire<Stripe.InvoicePayment> | undefined {
  return context.store.all('invoice_payments').findLast((row) => row.invoice === invoice && row.status !== 'canceled')
}

/** The PaymentIntent that collects an invoice; undefined if the invoice is a draft or nothing is due. */
export function intentOf(context: Context, invoice: string): Wire<Stripe.PaymentIntent> | undefined {
  const id = paymentOf(context, invoice)?.payment.payment_intent
  return id === undefined ? undefined : context.store.get('payment_intents', id)
}

/** The customer's details on an invoice; a draft follows the customer until it is finalized. */
export function addressee(context: Context, customer: Wire<Stripe.Customer> | undefined) {
  const taxIds = customer === undefined ? [] : taxIdsOf(context, customer.id)
  return {
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_tax_exempt: customer?.tax_exempt ?? 'none',
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
  } satisfies Partial<Invoice>
}

/** Leaves a draft to be finalized by itself, `draftSeconds` from now. */
export function finalizeLater(context: Context, draft: Invoice): Invoice {
  return change(context, 'invoices', draft, { automatically_finalizes_at: context.now + context.settings.draftSeconds })
}

/** What the payment of an invoice is for, by the reason of the invoice. */
const descriptions = new Map<Invoice['billing_reason'], string>([
  ['manual', 'Payment for Invoice'],
  ['subscription_create', 'Subscription creation'],
])

/** Turns a draft into an open invoice with its PaymentIntent. If nothing is due, it is paid at once. */
export function finalizeInvoice(
  context: Context,
  draft: Invoice,
  how: { method: string | null; save: boolean },
): Invoice {
  const balance = Math.min(0, draft.total + draft.starting_balance)
  const customer = draft.customer === null ? undefined : context.store.get('customers', draft.customer)
  const sequence = customer?.next_invoice_sequence ?? 1
  if (customer) {
    const settled = change(context, 'customers', customer, { balance }, 'customer.updated')
    // Stripe does not document whether a new next number is an event of the customer; here it is not.
    change(context, 'customers', settled, { next_invoice_sequence: sequence + 1 })
  }
  const patch = {
    status: 'open' as const,
    ...(customer !== undefined && addressee(context, customer)),
    ...hostedUrls(context),
    number: `${customer?.invoice_prefix ?? draft.id.slice(-8).toUpperCase()}-${String(sequence).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    effective_at: context.now,
    ending_balance: balance,
    status_transitions: { ...draft.status_transitions, finalized_at: context.now },
  }
  const open = change(context, 'invoices', draft, patch, 'invoice.finalized')
  if (open.amount_due === 0) return settleInvoice(context, open)
  const intent = openIntent(context, {
    ...plainTerms,
    invoice: open.id,
    amount: open.amount_due,
    currency: open.currency,
    customer: open.customer,
    method: how.method,
    description: descriptions.get(open.billing_reason) ?? 'Subscription update',
    setup_future_usage: how.save ? 'off_session' : null,
    receipt_email: null,
  })
  openPayment(context, open, intent.id)
  return open
}

/** An invoice that is over: nothing collects it any more. */
function closed(
  { now }: Context,
  { status_transitions }: Invoice,
  status: 'paid' | 'uncollectible' | 'void',
  at: keyof Invoice['status_transitions'],
) {
  const transitions = { ...status_transitions, [at]: now }
  return { status, auto_advance: false, next_payment_attempt: null, status_transitions: transitions }
}

/** Marks an invoice paid, its payment with it, and emits `invoice.paid` and `invoice.payment_succeeded`. */
export function settleInvoice(context: Context, invoice: Invoice): Invoice {
  const payment = paymentOf(context, invoice.id)
  const amount_paid = invoice.amount_due
  if (payment !== undefined) {
    const status_transitions = { canceled_at: null, paid_at: context.now }
    const settled = { status: 'paid', amount_paid, status_transitions }
    change(context, 'invoice_payments', payment, settled, 'invoice_payment.paid')
  }
  const patch = { ...closed(context, invoice, 'paid', 'paid_at'), amount_paid, amount_remaining: 0, attempted: true }
  const paid = change(context, 'invoices', invoice, patch, 'invoice.paid')
  emit(context, 'invoice.payment_succeeded', paid)
  return paid
}

/** Cancels what would have paid an invoice. */
export function cancelPayment(context: Context, invoice: Invoice): void {
  const payment = paymentOf(context, invoice.id)
  if (payment === undefined) return
  const status_transitions = { canceled_at: context.now, paid_at: null }
  change(context, 'invoice_payments', payment, { status: 'canceled', status_transitions })
  if (payment.payment.payment_intent !== undefined) cancelIntent(context, payment.payment.payment_intent)
}

/**
 * Marks an invoice as paid outside of Stripe: nothing is charged or attempted, and its PaymentIntent is canceled. Emits `invoice.paid`
 * alone (https://docs.stripe.com/invoicing/integration#handle-payment-events).
 */
export function settleOutOfBand(context: Context, invoice: Invoice): Invoice {
  cancelPayment(context, invoice)
  const patch = {
    ...closed(context, invoice, 'paid', 'paid_at'),
    amount_paid: invoice.amount_due,
    amount_paid_off_stripe: invoice.amount_remaining,
    amount_remaining: 0,
  }
  return change(context, 'invoices', invoice, patch, 'invoice.paid')
}

/** Writes an invoice off; it can still be paid or voided. */
export function markUncollectible(context: Context, invoice: Invoice): Invoice {
  const patch = closed(context, invoice, 'uncollectible', 'marked_uncollectible_at')
  return change(context, 'invoices', invoice, patch, 'invoice.marked_uncollectible')
}

/** Voids an open invoice and cancels what would have paid it. */
export function voidInvoice(context: Context, invoice: Invoice): Invoice {
  cancelPayment(context, invoice)
  return change(context, 'invoices', invoice, closed(context, invoice, 'void', 'voided_at'), 'invoice.voided')
}

/** Records a failed attempt and emits `types`. */
export function recordFailedAttempt(
  context: Context,
  invoice: Invoice,
  patch: Partial<Invoice>,
  types: WireEvent['type'][],
): Invoice {
  const next = change(context, 'invoices', invoice, { attempted: true, ...patch })
  for (const type of types) emit(context, type, next)
  return next
}
