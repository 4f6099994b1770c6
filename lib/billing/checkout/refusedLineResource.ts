import * as z from 'zod/mini'
import { described, named } from '../../http/schema.ts'
import { detailPaths } from '../customer/missingDetails.ts'
import type { RefusedLine } from './cartLine.ts'
import { lineErrorSchema } from './lineError.ts'

/** A refused line of a cart in the API: of a checkout and of its preview. */
export const refusedLineResource = named(
  'RefusedLine',
  z.object({
    ok: described('Always false: nothing was bought', z.literal(false)),
    product_code: described('The plan code as it was sent', z.string()),
    error: described('Why the line was refused', lineErrorSchema),
    detail: described('For people: a constant sentence; for a declined card, the general reason', z.string()),
    missing: described(
      'Present if `error` is `billing_details_required`: what the billing details lack. `address`: the gateway cannot use the address.',
      z.optional(z.array(z.enum(detailPaths))),
    ),
  }),
)

/** Maps a refused line to the API's object. */
export function toRefusedLineResource({
  productCode,
  error,
  detail,
  missing,
}: RefusedLine): z.infer<typeof refusedLineResource> {
  return { ok: false, product_code: productCode, error, detail, ...(missing && { missing: [...missing] }) }
}
