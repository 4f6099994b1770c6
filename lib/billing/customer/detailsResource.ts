import * as z from 'zod/mini'
import { described, named } from '../../http/schema.ts'
import { gatewayNameSchema } from '../gateway/gatewayName.ts'
import type { BillingDetails } from './details.ts'

const text = z.nullable(z.string())

/** An organization's billing details in the API. */
export const detailsResource = named(
  'BillingDetails',
  z.strictObject({
    name: described('The name on invoices', text),
    email: described('The address that gets invoices and receipts', text),
    address: described(
      'The address on invoices; null if there is none',
      z.nullable(
        z.strictObject({
          line1: described('Street and number', text),
          line2: described('What the street does not say, such as a floor', text),
          city: described('City', text),
          state: described('State, province or region', text),
          postal_code: described('Postal code', text),
          country: described('Country, as ISO 3166-1 alpha-2', text),
        }),
      ),
    ),
    tax_id: described(
      'The tax number on invoices; null if there is none',
      z.nullable(
        z.strictObject({
          type: described('The kind of tax number, as the gateway names it', z.string()),
          value: described('The tax number', z.string()),
        }),
      ),
    ),
    gateway: described(
      'How the organization pays: with a card, or by bank transfer against an invoice',
      gatewayNameSchema,
    ),
    currency: described('The currency of its purchases: ISO 4217, in lower case', z.string()),
  }),
)

export function toDetailsResource(details: BillingDetails): z.infer<typeof detailsResource> {
  const { name, email, address, taxId, gateway, currency } = details
  return { name, email, address: address && toAddress(address), tax_id: taxId, gateway, currency }
}

function toAddress({ postalCode, ...address }: NonNullable<BillingDetails['address']>) {
  return { ...address, postal_code: postalCode }
}
