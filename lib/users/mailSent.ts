import * as z from 'zod'

/** The answer of everything that ends in a mail: the same for an address that has an account and for one that has none. */
export const mailSent = {
  detail: 'Look into the mailbox of this address: a message with the next step is on its way',
} as const

/** `mailSent` as a contract has it. */
export const mailSentResource = z.strictObject({ detail: z.literal(mailSent.detail) })
