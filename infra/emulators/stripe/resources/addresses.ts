import type Stripe from 'stripe'
import * as z from 'zod'
import * as p from '../params/params.ts'
import type { Wire } from '../wire/wire.ts'

let regions: Intl.DisplayNames | undefined

/** Made when a country is named: its data take longer to load than the rest of the module. */
function regionNames(): Intl.DisplayNames {
  regions ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  return regions
}

/** A country code of two letters, of any case, or empty text; other values are 400. */
const country = z.string().transform((value, context) => {
  if (value === '') return null
  const code = value.toUpperCase()
  if (/^[A-Z]{2}$/.test(code) && regionNames().of(code) !== undefined) return code
  const message = `Country '${value}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US', 'EG', or 'GB'.`
  context.addIssue({ code: 'custom', message, params: { stripe: undefined } })
  return z.NEVER
})

/** An `address` parameter; empty text removes the address, an empty member that member. */
export const addressParam = p.unsettable(
  p.nested({
    city: z.string().optional(),
    country: country.optional(),
    line1: z.string().optional(),
    line2: z.string().optional(),
    postal_code: z.string().optional(),
    state: z.string().optional(),
  }),
)

/** The address as it is stored: a member that was not sent, or empty, is null. */
export function wireAddress(sent: z.output<typeof addressParam>): Wire<Stripe.Address> | null {
  if (sent === null) return null
  return {
    city: sent.city || null,
    country: sent.country ?? null,
    line1: sent.line1 || null,
    line2: sent.line2 || null,
    postal_code: sent.postal_code || null,
    state: sent.state || null,
  }
}
