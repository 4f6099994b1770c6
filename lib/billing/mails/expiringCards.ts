import { requireOk } from '../gateway/gatewayFailure.ts'
import type { Card, PaymentGateway } from '../gateway/gatewayPorts.ts'
import { lastMonthOf } from '../slot/moneyMail.ts'

/**
 * The customer's cards that pay for a subscription and are valid for the last time in this month (`2027-01`). None if they were replaced.
 * @throws BillingError `gateway_unavailable`, `gateway_refused`
 */
export async function findExpiringCards(
  { cards, purchases }: Pick<PaymentGateway, 'cards' | 'purchases'>,
  customerId: string,
  month: string,
  answerBy: number,
): Promise<Card[]> {
  if (!cards) return []
  const saved = requireOk(await cards.listCards(customerId, { answerBy }))
  const expiring = saved.filter((card) => lastMonthOf(card) === month)
  if (expiring.length === 0) return []
  const payers = requireOk(await purchases.listOwnCards(customerId))
  return expiring.filter(({ id, isDefault }) =>
    payers.some(({ paymentMethodId }) => paymentMethodId === id || (paymentMethodId === null && isDefault)),
  )
}
