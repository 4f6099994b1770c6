import { chargesCards } from '../gateway/gatewayName.ts'
import type { PaymentTerms } from './ports.ts'

/** Longer than any usual terms of payment. Stripe's documentation names no limit. */
const MAX_DAYS = 365

/** Says in a sentence what is wrong with terms that an operator asks for; undefined if nothing is. */
export function problemOfTerms({ gateway, daysUntilDue }: PaymentTerms): string | undefined {
  if (chargesCards[gateway]) return daysUntilDue === undefined ? undefined : `${gateway} takes no days`
  const isInRange = daysUntilDue !== undefined && Number.isInteger(daysUntilDue) && daysUntilDue >= 1
  return isInRange && daysUntilDue <= MAX_DAYS ? undefined : `${gateway} takes days, from 1 to ${MAX_DAYS}`
}

/** The terms alone, without the other members of an account. */
export function termsOf({ gateway, daysUntilDue }: PaymentTerms): PaymentTerms {
  return { gateway, ...(daysUntilDue !== undefined && { daysUntilDue }) }
}

export function isSameTerms(one: PaymentTerms, other: PaymentTerms): boolean {
  return one.gateway === other.gateway && one.daysUntilDue === other.daysUntilDue
}
