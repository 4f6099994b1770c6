import type Stripe from 'stripe'
import * as z from 'zod'
import { page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { addressParam, wireAddress } from '../resources/addresses.ts'
import { change, changeSubscription } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { invalidRequest, resourceMissing, StripeFault } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { testCard, testCardName } from './cards.ts'
import type { TestCard } from './testCards.ts'

type PaymentMethod = Wire<Stripe.PaymentMethod>
type Card = NonNullable<PaymentMethod['card']>

function cardOf(context: Context, name: string): Card {
  const { brand, last4, country, funding, coBrand } = testCard(name)
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country,
    display_brand: brand,
    exp_month: 11,
    exp_year: 2032,
    fingerprint: randomText(context.random, 16),
    funding,
    generated_from: null,
    last4,
    networks: { available: [...(coBrand ? [coBrand] : []), brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}

/** A fresh, unattached payment method of a test card; `sent` are the details that the buyer typed. */
export function mint(
  context: Context,
  name: string,
  sent: Partial<Card> = {},
  id = newId(context, 'payment_methods'),
): PaymentMethod {
  const method: PaymentMethod = {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: { ...cardOf(context, name), ...sent },
    created: context.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  context.store.put('payment_methods', method)
  context.store.put('cards', { id: method.id, card: name, set_up: false, detached: false })
  return method
}

/** The payment method of an id, minted on the spot for a test id such as `pm_card_visa`; else `resource_missing` at `param`. */
export function obtainMethod(context: Context, id: string, param: string): PaymentMethod {
  const known = context.store.get('payment_methods', id)
  if (known !== undefined) return known
  const name = id.startsWith('pm_') ? testCardName(id, param) : undefined
  if (name === undefined) throw resourceMissing('PaymentMethod', id, param)
  return mint(context, name)
}

/** The payment method, if it is attached to this customer; else 400 `resource_missing` at `param`. */
export function usableMethod(context: Context, id: string, customer: string, param: string): PaymentMethod {
  const method = requireRow(context, 'payment_methods', id, param)
  if (method.customer === customer) return method
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`
  throw invalidRequest(message, 'resource_missing', param)
}

/** The 402 of a declined card. */
export function cardError(
  decline: { code: string; decline_code: string; message: string },
  more: object = {},
  keepWrites = false,
): StripeFault {
  const doc_url = 'https://stripe.com/docs/error-codes/card-declined'
  const body = { type: 'card_error' as const, ...decline, doc_url, ...more }
  return new StripeFault(402, body, { keepWrites })
}

/** The bank checks what was sent when the card is saved; a card that can be saved passes, unless it is for the tests of addresses. */
function checked(checks: Card['checks'], { line1, postalCode }: NonNullable<TestCard['addressChecks']> = {}) {
  if (checks === null) return null
  const { address_line1_check, address_postal_code_check, cvc_check } = checks
  return {
    address_line1_check: address_line1_check === 'unchecked' ? (line1 ?? 'pass') : address_line1_check,
    address_postal_code_check:
      address_postal_code_check === 'unchecked' ? (postalCode ?? 'pass') : address_postal_code_check,
    cvc_check: cvc_check === 'unchecked' ? 'pass' : cvc_check,
  }
}

/**
 * Attaches a payment method; if a test id is given, mints the method first. Throws when the card belongs to another customer, and a 402 if
 * it declines.
 */
export function attach(context: Context, id: string, customer: string): PaymentMethod {
  const method = obtainMethod(context, id, 'payment_method')
  if (method.customer === customer) return method
  if (method.customer !== null) {
    throw invalidRequest('The payment method you provided has already been attached to a customer.')
  }
  const card = context.store.get('cards', method.id)
  if (card?.detached) {
    const reason =
      'was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.'
    throw invalidRequest(`The provided PaymentMethod ${reason}`)
  }
  const { decline, declinesAttach, addressChecks } = testCard(card?.card ?? 'visa')
  if (declinesAttach && decline) throw cardError(decline)
  const checks = method.card && checked(method.card.checks, addressChecks)
  const patch = { customer, ...(method.card && checks !== undefined && { card: { ...method.card, checks } }) }
  return change(context, 'payment_methods', method, patch, 'payment_method.attached')
}

/** Marks a card as set up: off-session payments need no authentication any more, if the bank allows that. */
export function markSetUp(context: Context, id: string): void {
  const card = context.store.get('cards', id)
  if (card !== undefined) context.store.put('cards', { ...card, set_up: true })
}

/** Detaches a card, which cannot be used again (https://docs.stripe.com/api/payment_methods/detach). */
export function release(context: Context, method: PaymentMethod): PaymentMethod {
  const card = context.store.get('cards', method.id)
  if (card !== undefined) context.store.put('cards', { ...card, detached: true })
  return change(context, 'payment_methods', method, { customer: null }, 'payment_method.detached')
}

/** Detaches a card by hand: it is the default of nothing any more. */
export function detach(context: Context, id: string): PaymentMethod {
  const method = requireRow(context, 'payment_methods', id)
  if (method.customer === null) {
    throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.')
  }
  const customer = context.store.get('customers', method.customer)
  if (customer !== undefined) {
    const { default_source, invoice_settings: settings } = customer
    const isDefault = settings.default_payment_method === id
    const patch = {
      default_source: default_source === id ? null : default_source,
      invoice_settings: isDefault ? { ...settings, default_payment_method: null } : settings,
    }
    change(context, 'customers', customer, patch, 'customer.updated')
  }
  for (const subscription of context.store.all('subscriptions')) {
    if (subscription.default_payment_method !== id) continue
    changeSubscription(context, subscription, { default_payment_method: null })
  }
  return release(context, method)
}

export const redisplay = ['always', 'limited', 'unspecified'] as const

/** Members of the `billing_details` parameter. */
export const billingShape = {
  address: addressParam.optional(),
  email: p.unsettable(p.text(512)).optional(),
  name: p.unsettable(p.text()).optional(),
  phone: p.unsettable(p.text()).optional(),
}

/** The billing details of a method with what was sent. */
export function mergeBilling(
  { billing_details }: PaymentMethod,
  { address, ...details }: z.output<z.ZodObject<typeof billingShape>> = {},
): PaymentMethod['billing_details'] {
  return { ...billing_details, ...p.given(details), ...(address !== undefined && { address: wireAddress(address) }) }
}

const listShape = { ...pageShape, allow_redisplay: p.word(redisplay).optional(), type: z.string().optional() }
const listParams = p.paramsFor<Stripe.PaymentMethodListParams>()({ ...listShape, customer: p.text().optional() }, [
  'customer_account',
])
const ofCustomerParams = p.paramsFor<Stripe.CustomerListPaymentMethodsParams>()(listShape)
const attachParams = p.paramsFor<Stripe.PaymentMethodAttachParams>()({ customer: p.text() })
const updateParams = p.paramsFor<Stripe.PaymentMethodUpdateParams>()(
  {
    allow_redisplay: p.word(redisplay).optional(),
    billing_details: p.nested(billingShape).optional(),
    card: p
      .nested({ exp_month: p.integer(1, 12).optional(), exp_year: p.integer().optional() }, ['networks'])
      .optional(),
    metadata: p.metadata().optional(),
  },
  ['us_bank_account'],
)

function list(
  context: Context,
  customer: string | undefined,
  sent: p.ParsedBy<typeof ofCustomerParams>,
  url: string,
): object {
  const rows = context.store.all('payment_methods').filter((row) => {
    return (
      (customer === undefined ? row.customer !== null : row.customer === customer) &&
      (sent.type ?? row.type) === row.type &&
      (sent.allow_redisplay ?? row.allow_redisplay) === row.allow_redisplay
    )
  })
  return page(rows, sent, url)
}

/** A payment method that belongs to a customer of the path; 404 for anyone else's. */
function ofCustomer(context: Context, customer: string, id: string): PaymentMethod {
  requireRow(context, 'customers', customer, 'customer', 404)
  const method = context.store.get('payment_methods', id)
  if (method?.customer === customer) return method
  throw resourceMissing('PaymentMethod', id, 'payment_method', 404)
}

/** Changes what may change of a saved card: its expiry, its billing details, its metadata. */
function update(context: Context, sent: p.ParsedBy<typeof updateParams>, id: string): PaymentMethod {
  const method = requireRow(context, 'payment_methods', id)
  if (method.customer === null) {
    throw invalidRequest('You must save this PaymentMethod to a customer before you can update it.')
  }
  const { billing_details, card, ...others } = sent
  const patch = {
    ...p.sentChanges(method, others),
    ...(billing_details !== undefined && { billing_details: mergeBilling(method, billing_details) }),
    ...(method.card !== undefined && card !== undefined && { card: { ...method.card, ...p.given(card) } }),
  }
  return change(context, 'payment_methods', method, patch, 'payment_method.updated')
}

/** Endpoints of https://docs.stripe.com/api/payment_methods. */
export const paymentMethodRoutes = [
  route('GET', '/v1/payment_methods', listParams, (context, { customer, ...sent }) => {
    if (customer !== undefined) requireRow(context, 'customers', customer, 'customer')
    return list(context, customer, sent, '/v1/payment_methods')
  }),
  route('GET', '/v1/customers/:id/payment_methods', ofCustomerParams, (context, sent, id) => {
    requireRow(context, 'customers', id, 'customer', 404)
    return list(context, id, sent, `/v1/customers/${id}/payment_methods`)
  }),
  route('GET', '/v1/payment_methods/:id', p.noParams, (context, _sent, id) => obtainMethod(context, id, 'id')),
  route('GET', '/v1/customers/:id/payment_methods/:method', p.noParams, (context, _sent, id, method) =>
    ofCustomer(context, id, method),
  ),
  route('POST', '/v1/payment_methods/:id', updateParams, update),
  route('POST', '/v1/payment_methods/:id/attach', attachParams, (context, sent, id) => {
    requireRow(context, 'customers', sent.customer, 'customer')
    return attach(context, id, sent.customer)
  }),
  route('POST', '/v1/payment_methods/:id/detach', p.noParams, (context, _sent, id) => detach(context, id)),
]
