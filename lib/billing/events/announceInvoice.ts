import { customerDigest, everyCustomer } from '../customer/customer.ts'
import { invoiceEvent } from '../customer/invoiceEvent.ts'
import { findProducts } from '../customer/invoiceProduct.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { InvoiceRow } from '../gateway/gatewayPorts.ts'
import type { BillingAccount } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'
import { type EventOf, ignoreEvent, type ProjectionDeps } from './projectSubscription.ts'

/**
 * Announces to other systems that an invoice was paid, or that a payment of it failed, with the invoice as it is now. Safe to repeat.
 * @param account of the customer; undefined if it is no customer of ours
 * @throws BillingError `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function announceInvoice(
  { records, gateways, clock, logger }: ProjectionDeps,
  { type, invoice: about, isFirstInvoice }: EventOf<'subscription'>,
  account: BillingAccount | undefined,
): Promise<void> {
  if ((type !== 'invoice.paid' && type !== 'invoice.payment_failed') || !about || !account) return
  const limits = { answerBy: clock.now() + READ_BUDGET }
  const { invoices, catalog } = gatewayOf(gateways, account)
  const found = requireOk(await invoices.fetchInvoice(about.id, limits))
  const isOwn = everyCustomer(account).some(({ digest }) => found && digest === customerDigest(found.customerId))
  if (!found || !isOwn) return ignoreEvent({ logger }, type, 'not an invoice of ours')
  if (type === 'invoice.payment_failed' && isFirstInvoice && isCharged(found.invoice)) return
  const invoice = await findProducts(catalog, limits)(found.invoice)
  // An invoice is paid once, but several payments of it may fail.
  const fact = type === 'invoice.paid' ? about.id : `${about.id} ${about.eventId}`
  await records.announce(invoiceEvent(type, account.organizationId, { invoice, fact, at: clock.now() }))
}

/** Whether a card is charged: a purchase whose first payment is declined is no purchase. */
function isCharged({ dueAt }: InvoiceRow): boolean {
  return dueAt === null
}
