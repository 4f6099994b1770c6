import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { PaymentGateway, ReadLimits } from './gatewayPorts.ts'

/** Whether the gateway knows of a customer what it needs to sell anything; `unknown` where it did not answer. */
export type NeededDetails = 'complete' | 'missing' | 'unknown'

/**
 * Asks the gateway, where it needs anything, before a purchase is claimed. What is deleted between this and the purchase, the gateway
 * refuses itself.
 * @param customer the customer, opened when called; undefined for an organization without one, which has given none yet
 */
export async function neededDetails(
  { needs, customers }: Pick<PaymentGateway, 'needs' | 'customers'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  limits: ReadLimits,
): Promise<NeededDetails> {
  if (needs.length === 0) return 'complete'
  const opened = await customer?.()
  if (!opened) return 'missing'
  if (opened.kind !== 'ok') return 'unknown'
  const fetched = await customers.fetchDetails(opened.value, limits)
  if (fetched.kind === 'refused' && fetched.reason === 'customer_missing') return 'missing'
  if (fetched.kind !== 'ok') return 'unknown'
  return needs.every((detail) => fetched.value[detail] !== null) ? 'complete' : 'missing'
}
