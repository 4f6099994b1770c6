import type Stripe from 'stripe'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'

/** The place that decides about a customer's tax. */
export interface TaxLocation {
  country: string
  state: string | null
}

/** The place in which a customer is taxed, by the address. Undefined if the country is missing, or in the US a ZIP code. */
export function taxLocation({ address }: Pick<Wire<Stripe.Customer>, 'address'>): TaxLocation | undefined {
  if (address?.country == null) return undefined
  if (address.country === 'US' && !/^\d{5}(-\d{4})?$/.test(address.postal_code ?? '')) return undefined
  return { country: address.country, state: address.state }
}

/** The tax location of a customer. Throws a 400 `customer_tax_location_invalid` if automatic tax cannot be computed. */
export function requireTaxLocation(customer: Pick<Wire<Stripe.Customer>, 'address'>): TaxLocation {
  const location = taxLocation(customer)
  if (location !== undefined) return location
  const message =
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax."
  throw invalidRequest(message, 'customer_tax_location_invalid')
}

/** The `tax` member of a customer, shown when expanded: whether automatic tax can be computed. */
export function customerTax(customer: Wire<Stripe.Customer>): Wire<Stripe.Customer.Tax> {
  const location = taxLocation(customer)
  return {
    automatic_tax: location === undefined ? 'unrecognized_location' : 'supported',
    ip_address: null,
    location: location === undefined ? null : { ...location, source: 'billing_address' },
    provider: 'stripe',
  }
}
