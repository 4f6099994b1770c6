import * as z from 'zod'

/** Starts and ends with a letter or digit; dots, underscores and hyphens between. */
const usernamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{1,30}[A-Za-z0-9])$/

/** A username as a caller may choose it: 3 to 32 characters. */
export const usernameSchema = z.string().min(3).max(32).regex(usernamePattern)
