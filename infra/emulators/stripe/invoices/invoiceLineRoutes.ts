import type Stripe from 'stripe'
import * as z from 'zod'
import { page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { change, emit } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import { itemShape, newInvoiceItem } from './invoiceItemRoutes.ts'
import { type InvoiceItem, redrafted, requireDraft } from './invoiceItems.ts'
import type { Invoice } from './invoices.ts'

const line = p.nested({ ...itemShape, invoice_item: p.text().optional() }, [
  'discounts',
  'quantity_decimal',
  'tax_amounts',
  'tax_rates',
])
const addParams = p.paramsFor<Stripe.InvoiceAddLinesParams>()({
  invoice_metadata: p.metadata().optional(),
  lines: z.array(line).min(1),
})
const removed = p.nested({ behavior: p.word(['delete', 'unassign']), id: p.text() })
const removeParams = p.paramsFor<Stripe.InvoiceRemoveLinesParams>()({
  invoice_metadata: p.metadata().optional(),
  lines: z.array(removed).min(1),
})
const listParams = p.paramsFor<Stripe.InvoiceListLineItemsParams>()(pageShape)

function draftOf(context: Context, id: string): Invoice {
  requireRow(context, 'invoices', id)
  return requireDraft(context, id, 'invoice')
}

/** Writes a draft anew, once for all lines. */
function write(
  context: Context,
  id: string,
  next: Invoice,
  metadata: Record<string, string> | null | undefined,
): Invoice {
  const draft = requireRow(context, 'invoices', id)
  const patch = { ...next, metadata: p.mergeMetadata(draft.metadata ?? {}, metadata) }
  return change(context, 'invoices', draft, patch, 'invoice.updated')
}

/** A pending item that goes onto a draft of its customer. */
function assigned(context: Context, draft: Invoice, id: string, param: string): InvoiceItem {
  const item = requireRow(context, 'invoiceitems', id, param)
  if (item.invoice !== null || item.customer !== draft.customer || item.currency !== draft.currency)
    throw invalidRequest(`The invoice item ${id} does not wait for an invoice like this.`, undefined, param)
  return change(context, 'invoiceitems', item, { invoice: draft.id })
}

/** Adds lines to a draft: new items, and items that are pending. */
function addLines(context: Context, sent: p.ParsedBy<typeof addParams>, id: string): Invoice {
  let draft = draftOf(context, id)
  sent.lines.forEach(({ invoice_item: named, ...terms }, index) => {
    const own = { ...terms, invoice: id, ...(terms.amount !== undefined && { currency: draft.currency }) }
    const item =
      named === undefined
        ? newInvoiceItem(context, own).item
        : assigned(context, draft, named, `lines[${index}][invoice_item]`)
    draft = redrafted(context, draft, item, 'with')
  })
  return write(context, id, draft, sent.invoice_metadata)
}

/** Takes lines off a draft: their items are deleted, or pending again. */
function removeLines(context: Context, sent: p.ParsedBy<typeof removeParams>, id: string): Invoice {
  let draft = draftOf(context, id)
  sent.lines.forEach(({ behavior, id: lineId }, index) => {
    const found = draft.lines.data.find((row) => row.id === lineId)?.parent?.invoice_item_details
    const item = found == null ? undefined : context.store.get('invoiceitems', found.invoice_item)
    if (item === undefined) throw resourceMissing('line_item', lineId, `lines[${index}][id]`)
    draft = redrafted(context, draft, item, 'without')
    if (behavior === 'unassign') change(context, 'invoiceitems', item, { invoice: null })
    else {
      context.store.remove('invoiceitems', item.id)
      emit(context, 'invoiceitem.deleted', item)
    }
  })
  return write(context, id, draft, sent.invoice_metadata)
}

/** The endpoints of https://docs.stripe.com/api/invoice-line-item. */
export const invoiceLineRoutes = [
  route('GET', '/v1/invoices/:id/lines', listParams, (context, sent, id) => {
    const { lines } = requireRow(context, 'invoices', id)
    return page(lines.data.toReversed(), sent, lines.url)
  }),
  route('POST', '/v1/invoices/:id/add_lines', addParams, addLines),
  route('POST', '/v1/invoices/:id/remove_lines', removeParams, removeLines),
]
