import * as z from 'zod/mini'
import { named } from '../../http/schema.ts'
import { gatewayNameSchema } from '../gateway/gatewayName.ts'
import type { BillingDetails } from './details.ts'

const text = z.nullable(z.string())

/** An organization's billing details in the API. */
export const detailsResource = named(
  'BillingDetails',
  z.strictObject({
    name: text,
    email: text,
    address: z.nullable(
      z.strictObject({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text }),
    ),
    tax_id: z.nullable(z.strictObject({ type: z.string(), value: z.string() })),
    gateway: gatewayNameSchema,
    currency: z.string(),
  }),
)

export function toDetailsResource(details: BillingDetails): z.infer<typeof detailsResource> {
  const { name, email, address, taxId, gateway, currency } = details
  return { name, email, address: address && toAddress(address), tax_id: taxId, gateway, currency }
}

function toAddress({ postalCode, ...address }: NonNullable<BillingDetails['address']>) {
  return { ...address, postal_code: postalCode }
}
