import { chargesCards } from '../gateway/gatewayName.ts'
import type { PaymentTerms } from './ports.ts'

/** Longer than any usual terms of payment. Stripe's document names no limit. */
const MAX_DAYS = 365

/** What is wrong with terms that an operator asks for, in a sentence; undefined where nothing is. */
export function problemOfTerms({ gateway, daysUntilDue }: PaymentTerms): string | undefined {
  if (chargesCards[gateway]) return daysUntilDue === undefined ? undefined : `${gateway} takes no days`
  const isInRange = daysUntilDue !== undefined && Number.isInteger(daysUntilDue) && daysUntilDue >= 1
  return isInRange && daysUntilDue <= MAX_DAYS ? undefined : `${gateway} takes days, from 1 to ${MAX_DAYS}`
}

/** The terms alone, of an account or of more. */
export function termsOf({ gateway, daysUntilDue }: PaymentTerms): PaymentTerms {
  return { gateway, ...(daysUntilDue !== undefined && { daysUntilDue }) }
}

/** Whether both are the same terms. */
export function isSameTerms(one: PaymentTerms, other: PaymentTerms): boolean {
  return one.gateway === other.gateway && one.daysUntilDue === other.daysUntilDue
}
