import * as z from 'zod/mini'

/** The id of an object that Stripe gives as its id, or whole if it was expanded. */
export const idOf = z.union([
  z.string(),
  z.pipe(
    z.object({ id: z.string() }),
    z.transform(({ id }) => id),
  ),
])

/** The same, of an object that the SDK has typed; null if there is none. */
export function idIn(object: string | { readonly id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
