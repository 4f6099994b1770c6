import * as z from 'zod'

/** No control characters, line separators, or characters that change the direction of surrounding text. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+$/u

/** An organization's name: 1 to 100 characters, trimmed. */
export const organizationName = z.string().trim().min(1).max(100).regex(printable)
