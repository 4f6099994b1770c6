import * as z from 'zod/mini'
import { named } from '../../http/schema.ts'
import type { RefusedLine } from './cartLine.ts'
import { lineErrorSchema } from './lineError.ts'

/** A refused line of a cart in the API: of a checkout and of its preview. */
export const refusedLineResource = named(
  'RefusedLine',
  z.object({
    ok: z.literal(false),
    product_code: z.string(),
    error: lineErrorSchema,
    detail: z.string(),
  }),
)

/** Maps a refused line to the API's object. */
export function toRefusedLineResource({
  productCode,
  error,
  detail,
}: RefusedLine): z.infer<typeof refusedLineResource> {
  return { ok: false, product_code: productCode, error, detail }
}
