import * as z from 'zod/mini'

/** The header of a POST that may be sent again: 1 to 255 printable ASCII characters, of the caller's choosing. */
export const repeatableRequest = z.object({
  'Idempotency-Key': z.optional(z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[\x20-\x7e]*$/))),
})
