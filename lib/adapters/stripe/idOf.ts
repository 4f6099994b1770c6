import * as z from 'zod'

/** The id of an object that Stripe gives as its id, or whole where it was expanded. */
export const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
