import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { OwedInvoice, PaymentGateway, ReadLimits } from '../gateway/gatewayPorts.ts'
import { OVERDUE_GRACE } from '../timing.ts'

/** Whether a customer is behind with an invoice: more than 7 days overdue. `unknown` if the gateway did not answer. */
export type Arrears = 'none' | 'overdue' | 'unknown'

/**
 * Asks the gateway for the customer's arrears. Asks nothing if the gateway sends no invoices.
 * @param customer opens the customer when called; undefined if the organization has none
 * @param now Unix milliseconds
 */
export async function readArrears(
  { sentInvoices }: Pick<PaymentGateway, 'sentInvoices'>,
  customer: (() => Promise<GatewayAnswer<string>>) | undefined,
  now: number,
  limits: ReadLimits,
): Promise<Arrears> {
  const opened = sentInvoices && (await customer?.())
  if (!opened) return 'none'
  if (opened.kind !== 'ok') return 'unknown'
  const owed = await sentInvoices.listOwed(opened.value, limits)
  if (owed.kind === 'refused' && owed.reason === 'customer_missing') return 'none'
  if (owed.kind !== 'ok') return 'unknown'
  return owed.value.some((invoice) => isOverdue(invoice, now)) ? 'overdue' : 'none'
}

function isOverdue({ dueAt }: OwedInvoice, now: number): boolean {
  return dueAt !== null && dueAt * 1000 + OVERDUE_GRACE < now
}
