import * as z from 'zod/mini'

/** No control characters, line separators, or characters that change the direction of surrounding text. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+$/u

/** An organization's name: 1 to 100 characters, trimmed. */
export const organizationName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), z.regex(printable))
