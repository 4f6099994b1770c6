import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { PaymentGateway, ReadLimits } from '../gateway/gatewayPorts.ts'

/** Whether the gateway knows what it must know of a customer before it sells anything; `unknown` if it did not answer. */
export type NeededDetails = 'complete' | 'missing' | 'unknown'

/** The details that the gateway needs before it sells anything, and does not know; `unknown` if it did not answer. */
export type MissingDetails = PaymentGateway['needs'] | 'unknown'

/**
 * If the gateway needs any details, asks it before a purchase is claimed. If a detail is deleted between this and the purchase, the gateway
 * itself refuses the purchase.
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
 * Asks the gateway what it still needs to know of a customer. Asks nothing if it needs nothing.
 * @param customer opens the customer when called; undefined if the organization has no customer, and so has given no details yet
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
