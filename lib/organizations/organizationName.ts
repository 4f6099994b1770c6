import * as z from 'zod'

/** Neither control characters nor line separators, nor marks that turn the direction of what stands around the name. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+$/u

/** An organization's name: 1 to 100 characters, without the white space around them. */
export const organizationName = z.string().trim().min(1).max(100).regex(printable)
