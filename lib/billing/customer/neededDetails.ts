import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { PaymentGateway, ReadLimits } from '../gateway/gatewayPorts.ts'

/** Whether the gateway knows of a customer what it needs to sell anything; `unknown` where it did not answer. */
export type NeededDetails = 'complete' | 'missing' | 'unknown'

/** The details without which the gateway sells nothing, and which it does not know; `unknown` where it did not answer. */
export type MissingDetails = PaymentGateway['needs'] | 'unknown'

/**
 * Asks the gateway, where it needs anything, before a purchase is claimed. What is deleted between this and the purchase, the gateway
 * refuses itself.
 * @param customer as for `missingDetails`
 */
export async function neededDetails(
  gateway: Pick<PaymentGateway, 'needs' | 'customers'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  limits: ReadLimits,
): Promise<NeededDetails> {
  const missing = await missingDetails(gateway, customer, limits)
  if (missing === 'unknown') return missing
  return missing.length === 0 ? 'complete' : 'missing'
}

/**
 * Asks the gateway what it still needs to know of a customer; nothing is asked where it needs nothing.
 * @param customer the customer, opened when called; undefined for an organization without one, which has given none yet
 */
export async function missingDetails(
  { needs, customers }: Pick<PaymentGateway, 'needs' | 'customers'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  limits: ReadLimits,
): Promise<MissingDetails> {
  if (needs.length === 0) return needs
  const opened = await customer?.()
  if (!opened) return needs
  if (opened.kind !== 'ok') return 'unknown'
  const fetched = await customers.fetchDetails(opened.value, limits)
  if (fetched.kind === 'refused' && fetched.reason === 'customer_missing') return needs
  if (fetched.kind !== 'ok') return 'unknown'
  return needs.filter((detail) => fetched.value[detail] === null)
}
