import { changedOrEnded, requireOk } from '../gateway/gatewayFailure.ts'
import type { PaymentGateway } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, type RequestedChange, unpaidStates } from '../gateway/subscription.ts'
import { findOpenInvoice } from './payOpenInvoice.ts'
import type { SlotState } from './slot.ts'

/** An end that a user asks for at the gateway: of which subscription, who asked and why, and which payments that user did not know. */
export interface Ending extends Omit<RequestedChange, 'change'> {
  gateway: PaymentGateway
  id: string
}

/** Whether no paid period is left. An organization that is sent invoices pays for a period later. */
export function hasNoPeriod({ gateway }: Ending, status: SlotState): boolean {
  return status === 'incomplete' || (gateway.cards !== undefined && (status === 'past_due' || status === 'unpaid'))
}

/**
 * Ends a subscription that has no paid period, but only after its open invoice was voided: then no payment can come in between. A payment may
 * not be recorded yet, so only the gateway knows. Repeating it completes what a crash left.
 * @returns null if it was paid meanwhile: then it is not ended
 * @throws BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function endUnpaid(ending: Ending, latest: GatewaySubscription): Promise<GatewaySubscription | null> {
  return (await preventPayment(ending, latest)) ? endNow(ending) : null
}

/** Voids the open invoice, so that it cannot be paid any more. Returns false if it was paid meanwhile. */
async function preventPayment(ending: Ending, latest: GatewaySubscription): Promise<boolean> {
  const { gateway, id } = ending
  const invoice = requireOk(await findOpenInvoice(gateway, latest, unpaidStates))
  // Nothing is open: only if that is still so afterwards was it not just paid.
  if (!invoice || invoice.isDraft)
    return hasNoPeriod(ending, requireOk(await gateway.purchases.fetchSubscription(id)).status)
  const voided = await gateway.invoices.voidInvoice(invoice.id)
  if (voided.kind === 'refused' && voided.reason === 'already_done') return false
  requireOk(voided)
  return true
}

/** Ends a subscription at once. When that is recorded, it is completed: nothing can be paid any more, and what was not known goes back. */
export async function endNow({ gateway, id, by, reason, refundAfter }: Ending): Promise<GatewaySubscription> {
  return changedOrEnded(gateway, id, await gateway.purchases.cancelNow(id, { kind: 'asked', by, reason, refundAfter }))
}
