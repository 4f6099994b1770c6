import type { BillingDetails } from '../app/types.ts'
import type { Localization } from '../texts/createLocalization.ts'

/** The details that every invoice needs. */
const needed = ['name', 'email', 'address'] as const

type Words = Pick<Localization, 'texts' | 'format'>

/** All that an invoice cannot be sent without, in words. */
export function allNeededDetails({ texts, format }: Words): string {
  return format.list(needed.map((name) => texts.orders.missingDetails[name]))
}

/** The missing details in words, such as `an email address and an address`. Undefined if nothing is missing. */
export function missingDetails(
  details: Pick<BillingDetails, (typeof needed)[number]>,
  { texts, format }: Words,
): string | undefined {
  const missing = needed.filter((name) => details[name] === null)
  return missing.length === 0 ? undefined : format.list(missing.map((name) => texts.orders.missingDetails[name]))
}
