import * as z from 'zod/mini'
import { named } from '../../http/schema.ts'
import type { Card } from '../gateway/gatewayPorts.ts'

/** A card in the API. */
export const cardResource = named(
  'PaymentMethod',
  z.strictObject({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    is_default: z.boolean(),
  }),
)

export function toCardResource({ id, brand, last4, expMonth, expYear, isDefault }: Card): z.infer<typeof cardResource> {
  return { id, brand, last4, exp_month: expMonth, exp_year: expYear, is_default: isDefault }
}
