import { intentOf } from '../invoices/invoices.ts'
import { page } from '../params/pagination.ts'
import { listSources, sourceOf } from '../payments/cardSources.ts'
import { isCouponValid } from '../resources/coupons.ts'
import { isCodeActive } from '../resources/promotionCodes.ts'
import { taxIdsOf } from '../resources/taxIds.ts'
import { customerTax } from '../resources/taxLocation.ts'
import type { Context } from '../state/context.ts'
import type { Kind } from '../state/state.ts'
import { StripeFault } from './errors.ts'
import expandable from './expandable.json' with { type: 'json' }
import { notCovered } from './notCovered.ts'
import { isRecord } from './wire.ts'

type Tree = { [field: string]: Tree }
const nothing: Tree = {}

/** Fields that hold an id (or ids) and may be expanded, by object. The name has dots if the field is in a nested hash. */
const references: Record<string, Record<string, Kind>> = {
  subscription: {
    customer: 'customers',
    default_payment_method: 'payment_methods',
    discounts: 'discounts',
    latest_invoice: 'invoices',
    'pending_update.discounts': 'discounts',
    pending_setup_intent: 'setup_intents',
    schedule: 'subscription_schedules',
  },
  subscription_schedule: {
    customer: 'customers',
    subscription: 'subscriptions',
    'default_settings.default_payment_method': 'payment_methods',
    'phases.default_payment_method': 'payment_methods',
    'phases.discounts.discount': 'discounts',
    'phases.items.price': 'prices',
  },
  subscription_item: { discounts: 'discounts' },
  invoice: {
    customer: 'customers',
    default_payment_method: 'payment_methods',
    discounts: 'discounts',
    'parent.subscription_details.subscription': 'subscriptions',
    'total_discount_amounts.discount': 'discounts',
  },
  line_item: {
    discounts: 'discounts',
    'discount_amounts.discount': 'discounts',
    subscription: 'subscriptions',
    'pricing.price_details.price': 'prices',
  },
  invoiceitem: {
    customer: 'customers',
    discounts: 'discounts',
    invoice: 'invoices',
    'pricing.price_details.price': 'prices',
  },
  invoice_payment: { invoice: 'invoices', 'payment.payment_intent': 'payment_intents', 'payment.charge': 'charges' },
  payment_intent: { customer: 'customers', payment_method: 'payment_methods', latest_charge: 'charges' },
  charge: { customer: 'customers', payment_intent: 'payment_intents' },
  dispute: { charge: 'charges', payment_intent: 'payment_intents' },
  refund: {
    charge: 'charges',
    payment_intent: 'payment_intents',
    customer: 'customers',
    payment_method: 'payment_methods',
  },
  credit_note: {
    customer: 'customers',
    'discount_amounts.discount': 'discounts',
    invoice: 'invoices',
    'refunds.refund': 'refunds',
  },
  credit_note_line_item: { 'discount_amounts.discount': 'discounts' },
  setup_intent: { customer: 'customers', payment_method: 'payment_methods' },
  payment_method: { customer: 'customers' },
  tax_id: { customer: 'customers', 'owner.customer': 'customers' },
  price: { product: 'products' },
  product: { default_price: 'prices' },
  promotion_code: { customer: 'customers', 'promotion.coupon': 'coupons' },
  discount: { customer: 'customers', promotion_code: 'promotion_codes', 'source.coupon': 'coupons' },
  customer: { default_source: 'payment_methods', 'invoice_settings.default_payment_method': 'payment_methods' },
}

/** What Stripe's file marks expandable in an object: what holds ids or objects, and what only an expansion shows. */
const marked: Record<string, { references: readonly string[]; hidden: readonly string[] }> = expandable

/** Members that are absent until expanded. */
const included: Record<string, Record<string, (context: Context, id: string) => unknown>> = {
  invoice: {
    confirmation_secret: (context, id) => {
      const intent = intentOf(context, id)
      const pending =
        intent !== undefined && intent.client_secret !== null && context.store.get('invoices', id)?.status === 'open'
      return pending ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
    },
    payments: ({ store }, id) => {
      const rows = store.all('invoice_payments').filter((row) => row.invoice === id)
      return page(rows, {}, `/v1/invoice_payments?invoice=${id}`)
    },
  },
  customer: {
    subscriptions: ({ store }, id) => {
      const rows = store.all('subscriptions').filter((row) => row.customer === id && row.status !== 'canceled')
      return page(rows, {}, `/v1/customers/${id}/subscriptions`)
    },
    tax: (context, id) => {
      const customer = context.store.get('customers', id)
      return customer === undefined ? null : customerTax(customer)
    },
    tax_ids: (context, id) => page(taxIdsOf(context, id), {}, `/v1/customers/${id}/tax_ids`),
    sources: (context, id) => listSources(context, id),
  },
  // No price has tiers here.
  plan: { tiers: () => undefined },
  price: {
    tiers: () => undefined,
    // The only currency that a price has here is its own (https://docs.stripe.com/api/prices/object).
    currency_options: ({ store }, id) => {
      const { currency = '', tax_behavior, unit_amount, unit_amount_decimal } = store.get('prices', id) ?? {}
      return { [currency]: { custom_unit_amount: null, tax_behavior, unit_amount, unit_amount_decimal } }
    },
  },
  charge: {
    refunds: ({ store }, id) => {
      return page(
        store.all('refunds').filter((row) => row.charge === id),
        {},
        `/v1/charges/${id}/refunds`,
      )
    },
  },
}

/** Members that are left out of the answer unless expanded though they are stored, and those computed at reading time. */
function presented(context: Context, object: Record<string, unknown>, id: string): Record<string, unknown> {
  const { store, now } = context
  if (object.object === 'coupon') {
    const coupon = store.get('coupons', id)
    const { applies_to: _hidden, ...rest } = object
    return coupon === undefined ? rest : { ...rest, valid: isCouponValid(coupon, now) }
  }
  if (object.object === 'promotion_code') {
    const code = store.get('promotion_codes', id)
    return code === undefined ? object : { ...object, active: isCodeActive(context, code) }
  }
  return object
}

function treeOf(paths: string[]): Tree {
  const root: Tree = {}
  for (const path of paths) {
    let node = root
    for (const part of path.split('.')) {
      node[part] ??= {}
      node = node[part]
    }
  }
  return root
}

function look(context: Context, kind: Kind, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return (
    context.store.get(kind, value) ??
    (kind === 'customers' ? context.store.get('deleted_customers', value) : undefined) ??
    value
  )
}

/** The position of the walk: the enclosing API object, the dotted path inside it, and the whole path from the answer on. */
interface Place {
  type: string
  id: string
  prefix: string
  path: string
}

function member(context: Context, place: Place, field: string, value: unknown, wanted: Tree | undefined): unknown {
  // Most members are text or numbers, and no request asks to expand them.
  if (wanted === undefined && (typeof value !== 'object' || value === null)) return value
  const name = `${place.prefix}${field}`
  const kind = references[place.type]?.[name]
  const below = { ...place, prefix: `${name}.`, path: `${place.path}${field}.` }
  if (wanted === undefined || kind === undefined) return walk(context, value, wanted ?? nothing, below)
  if (place.type === 'customer' && name === 'default_source') return sourceOf(context, place.id, value)
  const found = Array.isArray(value) ? value.map((item) => look(context, kind, item)) : look(context, kind, value)
  return walk(context, found, wanted, below)
}

function cannotExpand(path: string, hint: string): StripeFault {
  const message = `This property cannot be expanded (${path}).${hint}`
  return new StripeFault(400, { type: 'invalid_request_error', message })
}

/**
 * Whether Stripe's file marks a member expandable, or a member of it, and there is nothing to expand. Throws 501 if the member is marked, and the emulator does
 * not have what it holds.
 */
function expandsToNothing({ type, prefix, path }: Place, field: string, value: unknown): boolean {
  const { references = [], hidden = [] } = marked[type] ?? {}
  const name = `${prefix}${field}`
  if (value == null && [...references, ...hidden].some((deeper) => deeper.startsWith(`${name}.`))) return true
  const isHidden = hidden.includes(name)
  if (!isHidden && !references.includes(name)) return false
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0) || (value === undefined && !isHidden)
  if (!isEmpty) throw notCovered('value', `expanding ${path}${field}`, 'expand')
  return true
}

/** Throws 400 unless every name leads to a reference, an object, or a member that is hidden until expanded. */
function checkNames(object: Record<string, unknown>, place: Place, tree: Tree): void {
  for (const [field, below] of Object.entries(tree)) {
    const value = object[field]
    const reference = references[place.type]?.[`${place.prefix}${field}`] !== undefined
    const hidden = (place.type === 'coupon' && field === 'applies_to') || included[place.type]?.[field] !== undefined
    const [first] = Array.isArray(value) ? value : [value]
    const isObject = isRecord(first) && typeof first.object === 'string'
    const leads = Object.keys(below).length > 0 && (isRecord(value) || Array.isArray(value))
    if (reference || hidden || leads || isObject || expandsToNothing(place, field, value)) continue
    const hint =
      place.path === '' && object.object === 'list' ? ` You may want to try expanding 'data.${field}' instead.` : ''
    throw cannotExpand(`${place.path}${field}`, hint)
  }
}

function walk(context: Context, value: unknown, tree: Tree, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(context, item, tree, place))
  if (!isRecord(value)) return value
  const type = typeof value.object === 'string' ? value.object : undefined
  const id = typeof value.id === 'string' ? value.id : ''
  const here = type === undefined ? place : { type, id, prefix: '', path: place.path }
  const object = type === undefined ? value : presented(context, value, id)
  checkNames(value, here, tree)
  const shown: Record<string, unknown> = {}
  for (const field of Object.keys(object)) shown[field] = member(context, here, field, object[field], tree[field])
  if (tree === nothing) return shown
  const extras = type === undefined ? {} : (included[type] ?? {})
  for (const [field, compute] of Object.entries(extras)) {
    if (tree[field] !== undefined)
      shown[field] = walk(context, compute(context, id), tree[field] ?? {}, {
        ...here,
        prefix: `${field}.`,
        path: `${here.path}${field}.`,
      })
  }
  if (type === 'coupon' && tree.applies_to !== undefined && value.applies_to !== undefined)
    shown.applies_to = value.applies_to
  return shown
}

/**
 * The answer as it leaves: ids replaced by objects if `expand` names them (https://docs.stripe.com/expand), computed members filled in, and
 * members that Stripe shows only when expanded left out otherwise. Throws a 400 if a name cannot be expanded.
 */
export function render(context: Context, answer: object, expand: string[]): unknown {
  return walk(context, answer, treeOf(expand), { type: '', id: '', prefix: '', path: '' })
}
