import type Stripe from 'stripe'
import type { z } from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { change, create, emit } from '../resources/events.ts'
import { newPrice } from '../resources/prices.ts'
import { newProduct } from '../resources/products.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import { type Context, newId } from '../state/context.ts'
import { exclusiveParams, invalidRequest, missingParam, type StripeFault } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Wire } from '../wire/wire.ts'
import { changeDraft, type InvoiceItem, requireDraft, requireOneCurrency } from './invoiceItems.ts'
import type { Invoice } from './invoices.ts'

type Price = Wire<Stripe.Price>

const priceData = p.nested(
  {
    currency: p.text(3),
    product: p.text(),
    tax_behavior: p.word(['exclusive', 'inclusive', 'unspecified']).optional(),
    unit_amount: p.integer(-99_999_999, 99_999_999),
  },
  ['unit_amount_decimal'],
)

/** Parameters of an item, and of a line that is added to a draft. */
export const itemShape = {
  amount: p.integer(-99_999_999, 99_999_999).optional(),
  description: p.text().optional(),
  discountable: p.flag().optional(),
  metadata: p.metadata().optional(),
  period: p.nested({ end: p.integer(), start: p.integer() }).optional(),
  price_data: priceData.optional(),
  pricing: p.nested({ price: p.text() }).optional(),
  quantity: p.integer(0).optional(),
}

const uncovered = [
  'discounts',
  'quantity_decimal',
  'tax_behavior',
  'tax_code',
  'tax_rates',
  'unit_amount_decimal',
] as const
const createParams = p.paramsFor<Stripe.InvoiceItemCreateParams>()(
  {
    ...itemShape,
    currency: p.text(3).optional(),
    customer: p.text().optional(),
    invoice: p.text().optional(),
    subscription: p.text().optional(),
  },
  [...uncovered, 'customer_account'],
)
const updateParams = p.paramsFor<Stripe.InvoiceItemUpdateParams>()(itemShape, [...uncovered, 'invoicing_rules'])
const listParams = p.paramsFor<Stripe.InvoiceItemListParams>()(
  { ...listShape, customer: p.text().optional(), invoice: p.text().optional(), pending: p.flag().optional() },
  ['customer_account'],
)

type Sent = p.ParsedBy<typeof updateParams>

/** What an item costs: its price, and how often. */
interface Cost {
  price: Price
  quantity: number
}

/**
 * What was sent as the cost of an item; undefined if nothing was. An amount or `price_data` makes a price for this item alone, which is not
 * active and has no events. Neither has the product of an amount.
 */
function sentCost(context: Context, sent: Sent & { currency?: string | undefined }): Cost | undefined {
  const { amount, price_data: data, pricing, quantity = 1 } = sent
  const [first, second] = (['amount', 'price_data', 'pricing'] as const).filter((name) => sent[name] !== undefined)
  if (first !== undefined && second !== undefined) throw exclusiveParams(first, second)
  if (amount !== undefined && sent.quantity !== undefined) throw exclusiveParams('amount', 'quantity')
  if (pricing !== undefined) return { price: oneTimePrice(context, pricing.price), quantity }
  if (data !== undefined) {
    requireRow(context, 'products', data.product, 'price_data[product]')
    return { price: ownPrice(context, data), quantity }
  }
  if (amount === undefined) return undefined
  if (sent.currency === undefined) throw missingParam('currency')
  const product = newProduct(context, { active: false, name: sent.description ?? 'Invoice item' })
  context.store.put('products', product)
  const own = { currency: sent.currency, product: product.id, unit_amount: amount }
  return { price: ownPrice(context, own), quantity: 1 }
}

function oneTimePrice(context: Context, id: string): Price {
  const price = requireRow(context, 'prices', id, 'pricing[price]')
  if (price.type === 'one_time') return price
  const message =
    'The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.'
  throw invalidRequest(message, undefined, 'pricing[price]')
}

function ownPrice(context: Context, data: z.output<typeof priceData>): Price {
  const price = newPrice(context, { ...data, active: false })
  context.store.put('prices', price)
  return price
}

/** The members of an item that its cost decides. */
function costMembers({ price, quantity }: Cost) {
  return {
    amount: (price.unit_amount ?? 0) * quantity,
    currency: price.currency,
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details' as const,
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
  }
}

/** Where an item goes: the draft that it is added to, if one is named, its customer and its subscription. */
function placeOf(context: Context, sent: p.ParsedBy<typeof createParams>) {
  const draft = sent.invoice === undefined ? null : draftNamed(context, sent.invoice)
  const customer = sent.customer ?? draft?.customer
  if (customer == null) throw missingParam('customer')
  requireRow(context, 'customers', customer, 'customer')
  if (draft !== null && draft.customer !== customer) throw foreign('invoice', sent.invoice)
  const subscription =
    sent.subscription === undefined
      ? undefined
      : requireRow(context, 'subscriptions', sent.subscription, 'subscription')
  if (subscription !== undefined && subscription.customer !== customer) throw foreign('subscription', sent.subscription)
  return { draft, customer, subscription }
}

function draftNamed(context: Context, id: string): Invoice {
  requireRow(context, 'invoices', id, 'invoice')
  return requireDraft(context, id, 'invoice')
}

function foreign(param: 'invoice' | 'subscription', id: string | undefined): StripeFault {
  return invalidRequest(`The ${param} ${id} belongs to another customer.`, undefined, param)
}

/** Writes a new item and emits `invoiceitem.created`; the draft that it is for is not written. */
export function newInvoiceItem(
  context: Context,
  sent: p.ParsedBy<typeof createParams>,
): { item: InvoiceItem; draft: Invoice | null } {
  const { draft, customer, subscription } = placeOf(context, sent)
  const cost = sentCost(context, { ...sent, currency: sent.currency?.toLowerCase() })
  if (cost === undefined) throw missingParam('amount')
  const { currency } = cost.price
  if (sent.currency !== undefined && sent.currency.toLowerCase() !== currency)
    throw invalidRequest(`The price is in ${currency}, not in ${sent.currency}.`, undefined, 'currency')
  requireOneCurrency(context, customer, currency)
  if (draft !== null && draft.currency !== currency)
    throw invalidRequest(`The invoice ${draft.id} is in ${draft.currency}, not in ${currency}.`, undefined, 'currency')
  const members = costMembers(cost)
  const item: InvoiceItem = {
    id: newId(context, 'invoiceitems'),
    object: 'invoiceitem',
    ...members,
    customer,
    customer_account: null,
    date: context.now,
    description: sent.description ?? null,
    discountable: sent.discountable ?? members.amount >= 0,
    discounts: [],
    invoice: draft?.id ?? null,
    livemode: false,
    metadata: p.mergeMetadata({}, sent.metadata),
    parent: subscription
      ? { subscription_details: { subscription: subscription.id }, type: 'subscription_details' }
      : null,
    period: sent.period ?? { end: context.now, start: context.now },
    proration: false,
    tax_rates: [],
    test_clock: null,
  }
  return { item: create(context, 'invoiceitems', item, 'invoiceitem.created'), draft }
}

function createItem(context: Context, sent: p.ParsedBy<typeof createParams>): InvoiceItem {
  const { item, draft } = newInvoiceItem(context, sent)
  if (draft !== null) changeDraft(context, draft, item, 'with')
  return item
}

function updateItem(context: Context, item: InvoiceItem, sent: Sent): InvoiceItem {
  const draft = item.invoice === null ? null : requireDraft(context, item.invoice, 'invoiceitem')
  const { amount: _amount, price_data: _data, pricing: _pricing, quantity, ...others } = sent
  const cost = sentCost(context, { currency: item.currency, description: item.description ?? undefined, ...sent })
  if (cost !== undefined && cost.price.currency !== item.currency)
    throw invalidRequest(`The currency of an invoice item cannot be changed.`, undefined, 'currency')
  const price = context.store.get('prices', item.pricing?.price_details?.price ?? '')
  const counted = quantity !== undefined && price !== undefined ? { price, quantity } : undefined
  const changed = cost ?? counted
  const patch = { ...p.sentChanges(item, others), ...(changed && costMembers(changed)) }
  const next = change(context, 'invoiceitems', item, patch)
  if (draft !== null) changeDraft(context, draft, next, 'with')
  return next
}

function removeItem(context: Context, item: InvoiceItem): Wire<Stripe.DeletedInvoiceItem> {
  const draft = item.invoice === null ? null : requireDraft(context, item.invoice, 'invoiceitem')
  if (draft !== null) changeDraft(context, draft, item, 'without')
  context.store.remove('invoiceitems', item.id)
  emit(context, 'invoiceitem.deleted', item)
  return { id: item.id, object: 'invoiceitem', deleted: true }
}

/** Throws a 501 if prorations were made: Stripe lists them as invoice items, and the emulator does not keep them as such. */
function requireNoProrations({ store }: Context): void {
  const prorated = store
    .all('invoices')
    .some(({ lines }) => lines.data.some(({ parent }) => parent?.subscription_item_details?.proration))
  if (prorated || store.all('pending_lines').length > 0)
    throw notCovered('operation', 'the invoice items of prorations')
}

/** Endpoints of https://docs.stripe.com/api/invoiceitems. */
export const invoiceItemRoutes = resourceRoutes('invoiceitems', {
  create: { params: createParams, run: createItem },
  list: {
    params: listParams,
    check: requireNoProrations,
    same: ['customer', 'invoice'],
    where: ({ invoice }, { pending }) => pending === undefined || pending === (invoice === null),
  },
  update: { params: updateParams, run: updateItem },
  remove: removeItem,
})
