import type Stripe from 'stripe'
import { page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { nulls, words } from '../params/words.ts'
import { change, emit, previousAttributes } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { mintId } from '../state/ids.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { cardOfToken } from './paymentMethodCreate.ts'
import { attach, detach, mint } from './paymentMethods.ts'

type PaymentMethod = Wire<Stripe.PaymentMethod>

/** Names of brands, as cards of this older kind write them. */
const brands = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'MasterCard'],
  ['unionpay', 'UnionPay'],
  ['visa', 'Visa'],
])

/** A payment method that was saved as a source, in its older form. */
function cardOf({
  id,
  allow_redisplay = 'unspecified',
  billing_details,
  card,
  customer,
  metadata,
}: PaymentMethod): Wire<Stripe.Card> {
  if (card === undefined) throw new Error(`${id} is no card`)
  return {
    id,
    object: 'card',
    ...nulls('address_city address_country address_line1 address_line1_check address_line2 address_state address_zip'),
    ...nulls('address_zip_check dynamic_last4 tokenization_method'),
    allow_redisplay,
    brand: brands.get(card.brand) ?? card.brand,
    country: card.country,
    customer,
    cvc_check: card.checks?.cvc_check ?? null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    last4: card.last4,
    metadata,
    name: billing_details.name,
    regulated_status: card.regulated_status,
  }
}

function sourcesOf({ store }: Pick<Context, 'store'>, customer: string): PaymentMethod[] {
  return store.all('payment_methods').filter((row) => row.customer === customer && row.id.startsWith('card_'))
}

/** The cards of a customer that were saved as sources. */
export function listSources(context: Pick<Context, 'store'>, customer: string, sent: object = {}) {
  return page(sourcesOf(context, customer).map(cardOf), sent, `/v1/customers/${customer}/sources`)
}

/** The source of a customer that has this id; the id itself if there is none. */
export function sourceOf(context: Pick<Context, 'store'>, customer: string, id: unknown): unknown {
  const found = sourcesOf(context, customer).find((row) => row.id === id)
  return found === undefined ? id : cardOf(found)
}

/** Saves the card of a token such as `tok_visa` for a customer. Throws a 402 if the card declines. */
export function saveSource(context: Context, token: string, customer: string): PaymentMethod {
  const name = cardOfToken(token, 'source')
  const id = mintId(context.random, 'card', (taken) => context.store.get('payment_methods', taken) !== undefined)
  return attach(context, mint(context, name, {}, id).id, customer)
}

/** Emits `customer.source.created`. */
export function emitSource(context: Context, saved: PaymentMethod): void {
  emit(context, 'customer.source.created', cardOf(saved))
}

/** Deletes a source and emits `customer.source.deleted`. */
export function deleteSource(context: Context, id: string) {
  const source = cardOf(requireRow(context, 'payment_methods', id))
  detach(context, id)
  emit(context, 'customer.source.deleted', source)
  return { id, object: 'card' as const, deleted: true as const }
}

/** A source of a customer of the path; 404 for that of another. */
export function requireSource(context: Context, customer: string, id: string, status: 400 | 404 = 404): PaymentMethod {
  const found = sourcesOf(context, customer).find((row) => row.id === id)
  if (found === undefined) throw resourceMissing('source', id, status === 404 ? 'id' : 'default_source', status)
  return found
}

const listParams = p.paramsFor<Stripe.CustomerListSourcesParams>()({ ...pageShape, object: p.text().optional() })
const createParams = p.paramsFor<Stripe.CustomerCreateSourceParams>()(
  { metadata: p.metadata().optional(), source: p.text() },
  ['validate'],
)
const updateParams = p.paramsFor<Stripe.CustomerUpdateSourceParams>()(
  {
    exp_month: p.integer(1, 12).optional(),
    exp_year: p.integer().optional(),
    metadata: p.metadata().optional(),
  },
  words(
    'account_holder_name account_holder_type address_city address_country address_line1 address_line2',
    'address_state address_zip name owner',
  ),
)

/** Adds the card of a token to a customer; the first is the default source. */
function create(context: Context, sent: p.ParsedBy<typeof createParams>, id: string): object {
  const customer = requireRow(context, 'customers', id, 'customer', 404)
  const saved = saveSource(context, sent.source, id)
  const metadata = p.mergeMetadata({}, sent.metadata)
  const kept = change(context, 'payment_methods', saved, { metadata })
  emitSource(context, kept)
  if (customer.default_source === null)
    change(context, 'customers', customer, { default_source: saved.id }, 'customer.updated')
  return cardOf(kept)
}

function update(context: Context, sent: p.ParsedBy<typeof updateParams>, id: string, source: string): object {
  const method = requireSource(context, id, source)
  const { metadata, ...expiry } = sent
  const patch = {
    ...p.sentChanges(method, { metadata }),
    ...(method.card && { card: { ...method.card, ...p.given(expiry) } }),
  }
  const before = cardOf(method)
  const after = cardOf(change(context, 'payment_methods', method, patch))
  const previous = previousAttributes(before, after)
  if (Object.keys(previous).length > 0) emit(context, 'customer.source.updated', after, previous)
  return after
}

/** Endpoints of cards by the older https://docs.stripe.com/api/cards. */
export const cardSourceRoutes = [
  route('GET', '/v1/customers/:id/sources', listParams, (context, { object, ...sent }, id) => {
    requireRow(context, 'customers', id, 'customer', 404)
    const none = object !== undefined && object !== 'card'
    return none ? page([], sent, `/v1/customers/${id}/sources`) : listSources(context, id, sent)
  }),
  route('POST', '/v1/customers/:id/sources', createParams, create),
  route('GET', '/v1/customers/:id/sources/:source', p.noParams, (context, _sent, id, source) =>
    cardOf(requireSource(context, id, source)),
  ),
  route('POST', '/v1/customers/:id/sources/:source', updateParams, update),
  route('DELETE', '/v1/customers/:id/sources/:source', p.noParams, (context, _sent, id, source) =>
    deleteSource(context, requireSource(context, id, source).id),
  ),
]
