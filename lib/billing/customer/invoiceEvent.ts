import type { OrganizationId } from '../../core/ids.ts'
import { type EventDraft, eventIdOf } from '../../events/event.ts'
import type { FactType } from '../../events/eventTypes.ts'
import type { ListedInvoice } from './invoiceProduct.ts'
import { toInvoiceResource } from './invoiceResource.ts'

/**
 * An event about an invoice, for `announce`. The invoice's pages at the gateway are left out: they open without signing in, and show an address.
 * @param announced `fact` distinguishes the event from others of its type; `at` is Unix milliseconds
 */
export function invoiceEvent(
  type: Extract<FactType, `invoice.${string}`>,
  organizationId: OrganizationId,
  { invoice, fact, at }: { invoice: ListedInvoice; fact: string; at: number },
): EventDraft {
  const data = { ...toInvoiceResource(invoice), hosted_invoice_url: null, invoice_pdf: null }
  const about = { subject: `invoice:${invoice.id}`, revision: at, data }
  return { organizationId, id: eventIdOf(type, organizationId, fact), type, at, ...about }
}
