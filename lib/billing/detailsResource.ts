import * as z from 'zod'
import type { BillingDetails } from './details.ts'
import { gatewayNameSchema } from './gatewayName.ts'

const text = z.string().nullable()

/** An organization's billing details in the API. */
export const detailsResource = z
  .strictObject({
    name: text,
    email: text,
    address: z
      .strictObject({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text })
      .nullable(),
    tax_id: z.strictObject({ type: z.string(), value: z.string() }).nullable(),
    gateway: gatewayNameSchema,
    currency: z.string(),
  })
  .meta({ id: 'BillingDetails' })

export function toDetailsResource(details: BillingDetails): z.infer<typeof detailsResource> {
  const { name, email, address, taxId, gateway, currency } = details
  return { name, email, address: address && toAddress(address), tax_id: taxId, gateway, currency }
}

function toAddress({ postalCode, ...address }: NonNullable<BillingDetails['address']>) {
  return { ...address, postal_code: postalCode }
}
