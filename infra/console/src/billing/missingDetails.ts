import type { BillingDetails } from '../app/types.ts'

/** What an invoice cannot be sent without. */
const needed = { name: 'a name', email: 'an email address', address: 'an address' } as const

const list = new Intl.ListFormat('en')

/** All that an invoice cannot be sent without, in words. */
export const allNeededDetails = list.format(Object.values(needed))

/** What the billing details lack of that, such as `an email address and an address`. Undefined where nothing is missing. */
export function missingDetails(details: Pick<BillingDetails, keyof typeof needed>): string | undefined {
  const missing = (['name', 'email', 'address'] as const).filter((name) => details[name] === null)
  return missing.length === 0 ? undefined : list.format(missing.map((name) => needed[name]))
}
