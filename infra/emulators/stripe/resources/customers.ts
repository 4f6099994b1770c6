import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { nulls } from '../params/words.ts'
import { deleteSource, emitSource, requireSource, saveSource } from '../payments/cardSources.ts'
import { attach, release, usableMethod } from '../payments/paymentMethods.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { endSubscription } from '../subscriptions/subscriptionEnd.ts'
import { isEnded } from '../subscriptions/subscriptionStatus.ts'
import { exclusiveParams } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Wire } from '../wire/wire.ts'
import { addressParam, wireAddress } from './addresses.ts'
import { change, create, emit } from './events.ts'
import { resourceRoutes } from './resourceRoutes.ts'
import { addTaxId, taxIdDataParam, taxIdsOf } from './taxIds.ts'
import { requireTaxLocation } from './taxLocation.ts'

type Customer = Wire<Stripe.Customer>

/** An email address as Stripe checks it: something on both sides of an @, a dot in the domain, no space. */
function emailAddress() {
  const error = ({ input }: { input: unknown }) => `Invalid email address: ${String(input)}`
  const isEmail = (value: string) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value)
  return p.text(512).refine(isEmail, { params: { stripe: 'email_invalid' }, error })
}

const shape = {
  address: addressParam.optional(),
  description: p.unsettable(p.text()).optional(),
  email: p.unsettable(emailAddress()).optional(),
  invoice_settings: p.nested({ default_payment_method: p.unsettable(p.text()).optional() }).optional(),
  metadata: p.metadata().optional(),
  name: p.unsettable(p.text(256)).optional(),
  phone: p.unsettable(p.text(20)).optional(),
  preferred_locales: z.array(p.text()).optional(),
  tax_exempt: p.unsettable(p.word(['exempt', 'none', 'reverse'])).optional(),
}

const uncovered = ['balance', 'cash_balance', 'shipping', 'invoice_prefix', 'business_name'] as const

const createParams = p.paramsFor<Stripe.CustomerCreateParams>()(
  {
    ...shape,
    payment_method: p.text().optional(),
    source: p.text().optional(),
    tax: p.nested({ validate_location: p.word(['deferred', 'immediately']).optional() }, ['ip_address']).optional(),
    tax_id_data: taxIdDataParam.optional(),
  },
  [...uncovered, 'test_clock'],
)
const updateParams = p.paramsFor<Stripe.CustomerUpdateParams>()(
  {
    ...shape,
    default_source: p.text().optional(),
    source: p.text().optional(),
    tax: p
      .nested({ validate_location: p.word(['auto', 'deferred', 'immediately']).optional() }, ['ip_address'])
      .optional(),
  },
  uncovered,
)
const listParams = p.paramsFor<Stripe.CustomerListParams>()({ ...listShape, email: p.text().optional() })

function settings(defaultMethod: string | null): Customer['invoice_settings'] {
  return { custom_fields: null, default_payment_method: defaultMethod, footer: null, rendering_options: null }
}

/** The wire form of a new customer with no details yet. Nothing is written. */
export function newCustomer(context: Context): Customer {
  return {
    id: newId(context, 'customers'),
    object: 'customer',
    ...nulls(
      'address currency customer_account default_source description discount email name phone shipping',
      'test_clock',
    ),
    balance: 0,
    created: context.now,
    delinquent: false,
    invoice_prefix: randomText(context.random, 8).toUpperCase(),
    invoice_settings: settings(null),
    livemode: false,
    metadata: {},
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
  }
}

/** The members of a customer that `details` changes. */
function merged(
  customer: Customer,
  { address, tax_exempt, ...details }: Omit<p.ParsedBy<typeof updateParams>, 'invoice_settings' | 'source' | 'tax'>,
): Partial<Customer> {
  return {
    ...p.sentChanges(customer, details),
    ...(address !== undefined && { address: wireAddress(address) }),
    ...(tax_exempt !== undefined && { tax_exempt: tax_exempt ?? 'none' }),
  }
}

function createCustomer(
  context: Context,
  { invoice_settings, payment_method, source, tax, tax_id_data, ...details }: p.ParsedBy<typeof createParams>,
): Customer {
  const draft = newCustomer(context)
  const customer = { ...draft, ...merged(draft, details) }
  if (tax?.validate_location === 'immediately') requireTaxLocation(customer)
  context.store.put('customers', customer)
  const attached = payment_method === undefined ? undefined : attach(context, payment_method, customer.id)
  const saved = source === undefined ? undefined : saveSource(context, source, customer.id)
  const wanted = invoice_settings?.default_payment_method
  // If both places name `pm_card_visa`, they mean the same minted payment method.
  const standard = wanted != null && wanted === payment_method && attached ? attached.id : wanted
  if (standard != null) usableMethod(context, standard, customer.id, 'invoice_settings[default_payment_method]')
  const created = { ...customer, default_source: saved?.id ?? null, invoice_settings: settings(standard ?? null) }
  create(context, 'customers', created, 'customer.created')
  if (saved !== undefined) emitSource(context, saved)
  tax_id_data?.forEach((data, index) => {
    addTaxId(context, customer.id, data, `tax_id_data[${index}][value]`)
  })
  return created
}

/** Whether an update that leaves no tax location is refused: if the request asks for it, and by default while a subscription has automatic tax. */
function checksLocation(context: Context, id: string, when: string | undefined): boolean {
  if (when !== undefined && when !== 'auto') return when === 'immediately'
  return context.store
    .all('subscriptions')
    .some((row) => row.customer === id && !isEnded(row) && row.automatic_tax.enabled)
}

function updateCustomer(
  context: Context,
  customer: Customer,
  { invoice_settings, source, tax, ...details }: p.ParsedBy<typeof updateParams>,
): Customer {
  const { id } = customer
  if (source !== undefined && details.default_source !== undefined) throw exclusiveParams('source', 'default_source')
  if (details.default_source !== undefined) requireSource(context, id, details.default_source, 400)
  if (source !== undefined) requireNonePastDue(context, id)
  const standard = invoice_settings?.default_payment_method
  if (standard != null) usableMethod(context, standard, id, 'invoice_settings[default_payment_method]')
  const saved = source === undefined ? undefined : saveSource(context, source, id)
  const patch = {
    ...merged(customer, details),
    ...(saved !== undefined && { default_source: saved.id }),
    ...(standard !== undefined && { invoice_settings: settings(standard) }),
  }
  if (checksLocation(context, id, tax?.validate_location)) requireTaxLocation({ ...customer, ...patch })
  if (saved !== undefined) emitSource(context, saved)
  const updated = change(context, 'customers', customer, patch, 'customer.updated')
  // A new source replaces the default source, which is deleted: https://docs.stripe.com/api/customers/update.
  if (saved !== undefined && customer.default_source !== null) deleteSource(context, customer.default_source)
  return updated
}

/** Throws a 501 if a new source would pay an invoice that is past due, as it does at Stripe. */
function requireNonePastDue({ store }: Context, customer: string): void {
  if (store.all('subscriptions').some((row) => row.customer === customer && row.status === 'past_due'))
    throw notCovered('parameter', 'a new source of a customer who is past due', 'source')
}

function deleteCustomer(context: Context, customer: Customer): Wire<Stripe.DeletedCustomer> {
  const { id } = customer
  for (const subscription of context.store.all('subscriptions')) {
    if (subscription.customer === id && !isEnded(subscription)) endSubscription(context, subscription, null)
  }
  for (const method of context.store.all('payment_methods')) {
    if (method.customer === id) release(context, method)
  }
  for (const { id: taxId } of taxIdsOf(context, id)) context.store.remove('tax_ids', taxId)
  for (const item of context.store.all('invoiceitems'))
    if (item.customer === id && item.invoice === null) context.store.remove('invoiceitems', item.id)
  context.store.remove('customers', id)
  emit(context, 'customer.deleted', customer)
  return create(context, 'deleted_customers', { id, object: 'customer', deleted: true })
}

/** Endpoints of https://docs.stripe.com/api/customers. */
export const customerRoutes = resourceRoutes('customers', {
  create: { params: createParams, run: createCustomer },
  list: { params: listParams, same: ['email'] },
  retrieve: ({ store }, id) => store.get('deleted_customers', id),
  update: { params: updateParams, run: updateCustomer },
  remove: deleteCustomer,
})
