import type Stripe from 'stripe'
import * as z from 'zod'
import { page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest, missingParam, resourceMissing } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { change, create, emit } from './events.ts'
import { requireRow } from './requireRow.ts'
import { taxIdCountry, taxIdTypes } from './taxIdFormats.ts'

type TaxId = Wire<Stripe.TaxId>

const shape = {
  type: z.enum(taxIdTypes, {
    error: `Invalid type: must be one of ${taxIdTypes.slice(0, -1).join(', ')}, or ${taxIdTypes.at(-1)}`,
  }),
  value: p.text(),
}

/** The tax ids of a new customer, or of the customer that a preview describes. */
export const taxIdDataParam = z.array(p.nested(shape))

const createParams = p.paramsFor<Stripe.CustomerCreateTaxIdParams>()(shape)
const listParams = p.paramsFor<Stripe.CustomerListTaxIdsParams>()(pageShape)
const ownedParams = p.paramsFor<Stripe.TaxIdListParams>()({
  ...pageShape,
  owner: p
    .nested({ type: p.word(['account', 'application', 'customer', 'self']), customer: p.text().optional() }, [
      'account',
      'customer_account',
    ])
    .optional(),
})

/** Types whose values Stripe looks up in a register of the state. */
const verifiedTypes: readonly string[] = ['eu_vat', 'gb_vat', 'au_abn']

/** The test values of a lookup that fails or never ends; any other is found. */
function verificationOf(type: string, value: string): TaxId['verification'] {
  if (!verifiedTypes.includes(type)) return { status: 'unavailable', verified_address: null, verified_name: null }
  const digits = value.replaceAll(/\D/g, '')
  const status = /^1+$/.test(digits) ? 'unverified' : /^2+$/.test(digits) ? 'pending' : 'verified'
  const verified = status === 'verified'
  return {
    status,
    verified_address: verified ? '1 Register Street' : null,
    verified_name: verified ? 'Registered Company' : null,
  }
}

/** The tax ids of a customer, oldest first. */
export function taxIdsOf({ store }: Pick<Context, 'store'>, customer: string): TaxId[] {
  return store.all('tax_ids').filter((row) => row.customer === customer)
}

/**
 * Adds a tax id to a customer, event `customer.tax_id.created` included; the event of its lookup follows at once. Throws a 400
 * `tax_id_invalid` at `param` if the value does not look like its type.
 */
export function addTaxId(
  context: Context,
  customer: string,
  { type, value }: z.output<typeof taxIdDataParam>[number],
  param = 'value',
): TaxId {
  const country = taxIdCountry(type, value)
  if (country === undefined) throw invalidRequest(`Invalid value for ${type}.`, 'tax_id_invalid', param)
  const settled = verificationOf(type, value)
  const looksUp = verifiedTypes.includes(type)
  const created: TaxId = {
    id: newId(context, 'tax_ids'),
    object: 'tax_id',
    country,
    created: context.now,
    customer,
    customer_account: null,
    livemode: false,
    owner: { customer, customer_account: null, type: 'customer' },
    type,
    value,
    verification: looksUp ? { status: 'pending', verified_address: null, verified_name: null } : settled,
  }
  create(context, 'tax_ids', created, 'customer.tax_id.created')
  change(context, 'tax_ids', created, { verification: settled }, 'customer.tax_id.updated')
  return created
}

function requireTaxId(context: Context, customer: string, id: string): TaxId {
  requireRow(context, 'customers', customer, 'customer', 404)
  const found = context.store.get('tax_ids', id)
  if (found?.customer !== customer) throw resourceMissing('tax_id', id, 'id')
  return found
}

function createTaxId(context: Context, sent: p.ParsedBy<typeof createParams>, customer: string): TaxId {
  requireRow(context, 'customers', customer, 'customer', 404)
  return addTaxId(context, customer, sent)
}

function deleteTaxId(context: Context, customer: string, id: string): Wire<Stripe.DeletedTaxId> {
  const found = requireTaxId(context, customer, id)
  context.store.remove('tax_ids', id)
  emit(context, 'customer.tax_id.deleted', found)
  return { id, object: 'tax_id', deleted: true }
}

/** The tax ids of an owner. The account itself, which is asked for if no owner is named, has none. */
function listOwned(context: Context, sent: p.ParsedBy<typeof ownedParams>): object {
  const { type = 'self', customer } = sent.owner ?? {}
  if (type === 'self') return page([], sent, '/v1/tax_ids')
  if (type !== 'customer') throw notCovered('value', `owner[type]=${type}`, 'owner[type]')
  if (customer === undefined) throw missingParam('owner[customer]')
  requireRow(context, 'customers', customer, 'owner[customer]')
  return page(taxIdsOf(context, customer), sent, '/v1/tax_ids')
}

/** Endpoints of https://docs.stripe.com/api/tax_ids, under their customer, and the reads that need none. */
export const taxIdRoutes = [
  route('GET', '/v1/tax_ids', ownedParams, listOwned),
  route('GET', '/v1/tax_ids/:id', p.noParams, ({ store }, _sent, id) => {
    const found = store.get('tax_ids', id)
    if (found === undefined) throw resourceMissing('tax_id', id, 'id')
    return found
  }),
  route('POST', '/v1/customers/:id/tax_ids', createParams, createTaxId),
  route('GET', '/v1/customers/:id/tax_ids', listParams, (context, sent, id) => {
    requireRow(context, 'customers', id, 'customer', 404)
    return page(taxIdsOf(context, id), sent, `/v1/customers/${id}/tax_ids`)
  }),
  route('GET', '/v1/customers/:id/tax_ids/:taxId', p.noParams, (context, _sent, id, taxId) =>
    requireTaxId(context, id, taxId),
  ),
  route('DELETE', '/v1/customers/:id/tax_ids/:taxId', p.noParams, (context, _sent, id, taxId) =>
    deleteTaxId(context, id, taxId),
  ),
]
