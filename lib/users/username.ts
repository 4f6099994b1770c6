import * as z from 'zod/mini'

const usernamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{1,30}[A-Za-z0-9])$/

/** 3 to 32 letters, digits, dots, underscores and hyphens, starting and ending with a letter or digit. */
export const usernameSchema = z.string().check(z.minLength(3), z.maxLength(32), z.regex(usernamePattern))
