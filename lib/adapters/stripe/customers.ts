import Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type {
  Address,
  ChangedDetails,
  CustomerDetails,
  Customers,
  DetailsChange,
  DetailsField,
  ReadLimits,
} from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { type GatewayCall, noValue, readLimits } from './wireCall.ts'

/** `Customers` on Stripe's API. */
export function createCustomers(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Customers {
  return {
    createCustomer(organizationId, { name, email }, key) {
      const params = { name, ...(email !== undefined && { email }), metadata: { organization_id: organizationId } }
      return callGateway(
        () => stripe.customers.create(params, { idempotencyKey: key }),
        ({ id }) => id,
      )
    },

    fetchCustomer(customerId) {
      return callGateway(
        () => stripe.customers.retrieve(customerId),
        ({ deleted }) => ({ deleted: deleted === true }),
      )
    },

    deleteCustomer(customerId) {
      return callGateway(() => stripe.customers.del(customerId), noValue)
    },

    ...createCustomerDetails(stripe, callGateway, clock),
  }
}

/** The answer of Stripe, or the field that it refused. */
type Attempt<Value> = { kind: 'done'; value: Value } | Extract<ChangedDetails, { kind: 'refused_at' }>

/** Names, addresses and tax ids of customers on Stripe's API. */
function createCustomerDetails(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
): Pick<Customers, 'fetchDetails' | 'changeDetails'> {
  function attempt<Value>(
    send: () => Promise<Value>,
    { answerBy }: ReadLimits,
  ): Promise<GatewayAnswer<Attempt<Value>>> {
    const sendOrRefuse = async (): Promise<Attempt<Value>> => {
      try {
        return { kind: 'done', value: await send() }
      } catch (error) {
        const field = refusedField(error)
        if (field === undefined) throw error
        return { kind: 'refused_at', field }
      }
    }
    return callGateway(sendOrRefuse, (answer) => answer, readLimits(clock, answerBy))
  }

  /** The customer's tax ids, newest first. */
  const listTaxIds = (customerId: string, { answerBy }: ReadLimits) =>
    callGateway(
      () => stripe.customers.listTaxIds(customerId, { limit: 100 }),
      ({ data }) => data,
      readLimits(clock, answerBy),
    )

  async function deleteTaxIds(
    customerId: string,
    taxIds: readonly Stripe.TaxId[],
    { answerBy }: ReadLimits,
  ): Promise<GatewayAnswer<unknown>> {
    for (const { id } of taxIds) {
      const deleted = await callGateway(
        () => stripe.customers.deleteTaxId(customerId, id),
        noValue,
        readLimits(clock, answerBy),
      )
      // Deleted by an earlier attempt, or by another request.
      if (deleted.kind === 'unknown' || (deleted.kind === 'refused' && deleted.reason !== 'not_found')) return deleted
    }
    return { kind: 'ok', value: null, replayed: false }
  }

  const fetchDetails: Customers['fetchDetails'] = async (customerId, { answerBy }) => {
    const answer = await callGateway(
      () => stripe.customers.retrieve(customerId, { expand: ['tax_ids'] }),
      (customer) => (customer.deleted ? null : readDetails(customer)),
      readLimits(clock, answerBy),
    )
    if (answer.kind !== 'ok') return answer
    return answer.value ? { ...answer, value: answer.value } : { kind: 'refused', reason: 'customer_missing' }
  }

  return {
    fetchDetails,

    /** The new tax id is added first and the old ids are deleted last. If Stripe refuses anything, the old state stays or is restored. */
    async changeDetails(customerId, change, limits) {
      const { taxId, ...rest } = change
      const before = taxId === undefined ? undefined : await listTaxIds(customerId, limits)
      if (before && before.kind !== 'ok') return before
      const kept = taxId && before?.value.find(({ type, value }) => type === taxId.type && value === taxId.value)
      const added =
        taxId && !kept ? await attempt(() => stripe.customers.createTaxId(customerId, taxId), limits) : undefined
      if (added && added.kind !== 'ok') return added
      if (added?.value.kind === 'refused_at') return { ...added, value: added.value }

      if (Object.keys(rest).length > 0) {
        const params = updateParams(rest)
        const updated = await attempt(() => stripe.customers.update(customerId, params), limits)
        const refused = updated.kind === 'refused' || (updated.kind === 'ok' && updated.value.kind === 'refused_at')
        if (refused && added) await deleteTaxIds(customerId, [added.value.value], limits)
        if (updated.kind !== 'ok') return updated
        if (updated.value.kind === 'refused_at') return { ...updated, value: updated.value }
      }

      const others = before?.value.filter(({ id }) => id !== kept?.id) ?? []
      const cleaned = await deleteTaxIds(customerId, others, limits)
      if (cleaned.kind !== 'ok') return cleaned
      const details = await fetchDetails(customerId, limits)
      return details.kind === 'ok' ? { ...details, value: { kind: 'changed', details: details.value } } : details
    },
  }
}

/** Stripe deletes a field that is sent as empty text. All members of an address are sent, so that nothing of the old address is left. */
function updateParams({ name, email, address }: Omit<DetailsChange, 'taxId'>): Stripe.CustomerUpdateParams {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(address !== undefined && { address: address === null ? '' : addressParams(address) }),
  }
}

function addressParams({ line1, line2, city, state, postalCode, country }: Address): Stripe.AddressParam {
  return {
    line1: line1 ?? '',
    line2: line2 ?? '',
    city: city ?? '',
    state: state ?? '',
    postal_code: postalCode ?? '',
    country: country ?? '',
  }
}

function readDetails({ name, email, address, tax_ids, currency }: Stripe.Customer): CustomerDetails {
  const [newest] = tax_ids?.data ?? []
  return {
    name: name ?? null,
    email,
    address: address ? readAddress(address) : null,
    taxId: newest ? { type: newest.type, value: newest.value } : null,
    currency: currency ?? null,
  }
}

function readAddress({ line1, line2, city, state, postal_code, country }: Stripe.Address): Address {
  return { line1, line2, city, state, postalCode: postal_code, country }
}

/** Which part Stripe refused for itself; undefined for every other failure. */
function refusedField(error: unknown): DetailsField | undefined {
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode !== 400) return undefined
  const { code = '', param = '' } = error
  return fieldsByCode.get(code) ?? fieldsByParam.get(param)
}

const fieldsByCode = new Map<string, DetailsField>([
  ['email_invalid', 'email'],
  ['tax_id_invalid', 'tax_id.value'],
  ['customer_tax_location_invalid', 'address'],
])

const fieldsByParam = new Map<string, DetailsField>([
  ['name', 'name'],
  ['email', 'email'],
  ['address', 'address'],
  ['address[line1]', 'address.line1'],
  ['address[line2]', 'address.line2'],
  ['address[city]', 'address.city'],
  ['address[state]', 'address.state'],
  ['address[postal_code]', 'address.postal_code'],
  ['address[country]', 'address.country'],
  ['type', 'tax_id.type'],
  ['value', 'tax_id.value'],
])
