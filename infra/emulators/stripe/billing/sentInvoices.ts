import { emit } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { Invoice } from './invoices.ts'

/** Sends an invoice to its customer: `invoice.sent`, and as in test mode no mail. */
export function sendInvoice(context: Context, invoice: Invoice): Invoice {
  emit(context, 'invoice.sent', invoice)
  return invoice
}
