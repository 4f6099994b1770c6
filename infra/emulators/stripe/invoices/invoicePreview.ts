import type Stripe from 'stripe'
import * as z from 'zod'
import { renew } from '../billing/renewal.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { addressParam, wireAddress } from '../resources/addresses.ts'
import { newCustomer } from '../resources/customers.ts'
import { discountsParam } from '../resources/discounts.ts'
import { requireRow } from '../resources/requireRow.ts'
import { addTaxId, taxIdDataParam } from '../resources/taxIds.ts'
import type { Context } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { draftSubscription } from '../subscriptions/subscriptionCreate.ts'
import { itemsParam, periodEnd } from '../subscriptions/subscriptionItems.ts'
import { automaticTaxParam, billingModeParam } from '../subscriptions/subscriptionParams.ts'
import { missingParam, StripeFault } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { previewRoute } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import type { Invoice } from './invoices.ts'

type Subscription = Wire<Stripe.Subscription>

const subscriptionParam = p.nested(
  {
    billing_mode: billingModeParam.optional(),
    cancel_at: p.integer().optional(),
    cancel_at_period_end: p.flag().optional(),
    items: itemsParam.optional(),
    trial_end: z.union([z.literal('now'), p.integer()]).optional(),
  },
  words(
    'billing_cycle_anchor billing_schedules cancel_now default_tax_rates proration_behavior proration_date',
    'resume_at start_date',
  ),
)

const previewParams = p.paramsFor<Stripe.InvoiceCreatePreviewParams>()(
  {
    automatic_tax: automaticTaxParam.optional(),
    currency: p.text(3).optional(),
    customer: p.text().optional(),
    customer_details: p
      .nested(
        {
          address: addressParam.optional(),
          tax_exempt: p.unsettable(p.word(['exempt', 'none', 'reverse'])).optional(),
          tax_ids: taxIdDataParam.optional(),
        },
        ['shipping', 'tax'],
      )
      .optional(),
    discounts: discountsParam.optional(),
    subscription: p.text().optional(),
    subscription_details: subscriptionParam.optional(),
  },
  ['customer_account', 'invoice_items', 'issuer', 'on_behalf_of', 'preview_mode', 'schedule', 'schedule_details'],
)

type Sent = p.ParsedBy<typeof previewParams>

/** The customer of the preview: the named customer with the sent details in place of the stored details, or an unknown customer if none is named. */
function describedCustomer(context: Context, sent: Sent, id: string | undefined): string {
  const known = id === undefined ? newCustomer(context) : requireRow(context, 'customers', id, 'customer')
  const { address, tax_exempt, tax_ids } = sent.customer_details ?? {}
  context.store.put('customers', {
    ...known,
    ...(address !== undefined && { address: wireAddress(address) }),
    ...(tax_exempt !== undefined && { tax_exempt: tax_exempt ?? 'none' }),
  })
  tax_ids?.forEach((data, index) => {
    addTaxId(context, known.id, data, `customer_details[tax_ids][${index}][value]`)
  })
  return known.id
}

function noneUpcoming(what: string): StripeFault {
  const message = `No upcoming invoices for ${what}`
  return new StripeFault(404, { type: 'invalid_request_error', code: 'invoice_upcoming_none', message })
}

function willRenew({ status, cancel_at, ...subscription }: Subscription): boolean {
  const renews = ['trialing', 'active', 'past_due', 'unpaid'].includes(status)
  return renews && (cancel_at === null || cancel_at > periodEnd({ ...subscription, status, cancel_at }))
}

/** The invoice of the next period, as the clock will write it. */
function nextInvoice(context: Context, subscription: Subscription): Invoice {
  if (!willRenew(subscription)) throw noneUpcoming(`subscription: ${subscription.id}`)
  renew({ ...context, now: periodEnd(subscription) }, subscription)
  const latest = context.store.get('subscriptions', subscription.id)?.latest_invoice ?? ''
  const invoice = context.store.get('invoices', latest)
  if (invoice === undefined || latest === subscription.latest_invoice)
    throw noneUpcoming(`subscription: ${subscription.id}`)
  return invoice
}

function upcoming(context: Context, sent: Sent, id: string): Invoice {
  const change = (['discounts', 'subscription_details', 'automatic_tax'] as const).find(
    (name) => sent[name] !== undefined,
  )
  if (change !== undefined) throw notCovered('parameter', 'a preview that changes an existing subscription', change)
  const named = requireRow(context, 'subscriptions', id, 'subscription')
  describedCustomer(context, sent, named.customer)
  return nextInvoice(context, named)
}

function nextOf(context: Context, customer: string): Invoice {
  const [first] = context.store
    .all('subscriptions')
    .filter((row) => row.customer === customer && willRenew(row))
    .sort((a, b) => periodEnd(a) - periodEnd(b))
  if (first === undefined) throw noneUpcoming(`customer: ${customer}`)
  return nextInvoice(context, first)
}

function drafted(context: Context, sent: Sent): Invoice {
  if (sent.subscription !== undefined) return upcoming(context, sent, sent.subscription)
  const { items, ...terms } = sent.subscription_details ?? {}
  if (items !== undefined) {
    const customer = describedCustomer(context, sent, sent.customer)
    const { automatic_tax, discounts } = sent
    const currency = sent.currency ?? context.store.get('customers', customer)?.currency ?? undefined
    const wanted = { ...terms, automatic_tax, currency, discounts, customer, items }
    return draftSubscription(context, wanted, 'subscription_details[items]').invoice
  }
  if (sent.subscription_details !== undefined || sent.customer === undefined) {
    throw missingParam('subscription_details[items]')
  }
  return nextOf(context, describedCustomer(context, sent, sent.customer))
}

/**
 * The first charge of a new subscription, or the next charge of an existing subscription: the draft that billing itself would write, under
 * another id.
 */
function previewInvoice(context: Context, sent: Sent): Invoice {
  const invoice = drafted(context, sent)
  const id = `upcoming_in_${randomText(context.random, 24)}`
  const data = invoice.lines.data.map((line) => ({ ...line, id: line.id.replace('il_', 'il_tmp_'), invoice: id }))
  return { ...invoice, id, lines: { ...invoice.lines, data, url: `/v1/invoices/${id}/lines` } }
}

/** The endpoint of https://docs.stripe.com/api/invoices/create_preview. */
export const invoicePreviewRoutes = [previewRoute('/v1/invoices/create_preview', previewParams, previewInvoice)]
