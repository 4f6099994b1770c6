import * as z from 'zod/mini'
import type { Card } from '../gateway/gatewayPorts.ts'

/** A card in the API. */
export const cardResource = z
  .strictObject({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    is_default: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'PaymentMethod' })

/** The API's object for a card. */
export function toCardResource({ id, brand, last4, expMonth, expYear, isDefault }: Card): z.infer<typeof cardResource> {
  return { id, brand, last4, exp_month: expMonth, exp_year: expYear, is_default: isDefault }
}
