import * as z from 'zod'

/** The header of a POST that may be sent again: 1 to 255 printable ASCII characters, of the caller's choosing. */
export const repeatableRequest = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
})
