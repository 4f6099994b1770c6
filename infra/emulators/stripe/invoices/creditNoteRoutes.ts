import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape, page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { refundCharge } from '../payments/refunds.ts'
import { change } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { applySettlement } from './collection.ts'
import { type CreditLine, type CreditNote, issueCreditNote, lowerDue } from './creditNotes.ts'
import { type Invoice, intentOf } from './invoices.ts'

const line = p.nested({
  type: p.word(['invoice_line_item', 'custom_line_item']),
  amount: p.integer(0).optional(),
  description: p.text().optional(),
  invoice_line_item: p.text().optional(),
  quantity: p.integer(1).optional(),
  unit_amount: p.integer(0).optional(),
})
const createParams = p.paramsFor<Stripe.CreditNoteCreateParams>()(
  {
    amount: p.integer(1).optional(),
    credit_amount: p.integer(0).optional(),
    effective_at: p.integer().optional(),
    email_type: p.word(['credit_note', 'none']).optional(),
    invoice: p.text(),
    lines: z.array(line).min(1).optional(),
    memo: p.text().optional(),
    metadata: p.metadata().optional(),
    out_of_band_amount: p.integer(0).optional(),
    reason: p.word(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']).optional(),
    refund_amount: p.integer(0).optional(),
    refunds: z.array(p.nested({ refund: p.text(), amount_refunded: p.integer(1).optional() })).optional(),
  },
  ['shipping_cost'],
)
const updateParams = p.paramsFor<Stripe.CreditNoteUpdateParams>()({
  memo: p.text().optional(),
  metadata: p.metadata().optional(),
})
const listParams = p.paramsFor<Stripe.CreditNoteListParams>()(
  { ...listShape, customer: p.text().optional(), invoice: p.text().optional() },
  ['customer_account'],
)
const linesParams = p.paramsFor<Stripe.CreditNoteListLineItemsParams>()(pageShape)

type Sent = p.ParsedBy<typeof createParams>

function creditLines(invoice: Invoice, sent: Sent): CreditLine[] {
  if ((sent.amount === undefined) === (sent.lines === undefined)) {
    throw invalidRequest('You must specify exactly one of amount and lines.', 'parameters_exclusive')
  }
  if (sent.amount !== undefined) return [{ amount: sent.amount, description: null }]
  return (sent.lines ?? []).map((wanted, index) => {
    const amount = wanted.amount ?? (wanted.unit_amount ?? 0) * (wanted.quantity ?? 1)
    if (wanted.type === 'custom_line_item') return { amount, description: wanted.description ?? null }
    const billed = invoice.lines.data.find(({ id }) => id === wanted.invoice_line_item)
    const param = `lines[${index}][invoice_line_item]`
    if (billed === undefined) throw resourceMissing('invoice line item', wanted.invoice_line_item ?? '', param)
    if (wanted.amount === undefined)
      throw notCovered('parameter', 'a credit note line without an amount', `lines[${index}][amount]`)
    return { amount, description: wanted.description ?? billed.description, invoice_line_item: billed.id }
  })
}

function refundsFor(context: Context, invoice: Invoice, sent: Sent): Wire<Stripe.Refund>[] {
  const linked = (sent.refunds ?? []).map(({ refund: id, amount_refunded }, index) => {
    const refund = requireRow(context, 'refunds', id, `refunds[${index}][refund]`)
    if (amount_refunded !== undefined && amount_refunded !== refund.amount)
      throw notCovered('value', 'a refund linked in part', `refunds[${index}][amount_refunded]`)
    return refund
  })
  if (!sent.refund_amount) return linked
  const charge = intentOf(context, invoice.id)?.latest_charge
  const paid = charge == null ? undefined : context.store.get('charges', charge)
  if (paid === undefined || invoice.status !== 'paid') {
    throw invalidRequest('There is no payment of this invoice to refund.', undefined, 'refund_amount')
  }
  return [...linked, refundCharge(context, paid, sent.refund_amount, { reason: null, metadata: {} })]
}

function createNote(context: Context, sent: Sent): CreditNote {
  const invoice = requireRow(context, 'invoices', sent.invoice, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'paid') {
    throw invalidRequest(
      `A credit note needs an open or paid invoice; this one is ${invoice.status}.`,
      undefined,
      'invoice',
    )
  }
  const note = issueCreditNote(context, invoice, {
    lines: creditLines(invoice, sent),
    refunds: refundsFor(context, invoice, sent),
    credit: sent.credit_amount ?? 0,
    out_of_band: sent.out_of_band_amount ?? null,
    reason: sent.reason ?? null,
    memo: sent.memo ?? null,
    metadata: p.mergeMetadata({}, sent.metadata),
    effective_at: sent.effective_at ?? context.now,
  })
  applySettlement(context, invoice.id)
  return note
}

/** Voids a credit note: its amount is due again on the open invoice. Throws a 400 unless the invoice is still open. */
function voidNote(context: Context, id: string): CreditNote {
  const note = requireRow(context, 'credit_notes', id)
  const invoice = context.store.get('invoices', note.invoice)
  if (note.status === 'void') throw invalidRequest('This credit note has been voided already.')
  if (note.type !== 'pre_payment' || invoice?.status !== 'open') {
    throw invalidRequest('You can only void a credit note of an invoice that is still open.')
  }
  lowerDue(context, invoice, -note.amount)
  return change(context, 'credit_notes', note, { status: 'void', voided_at: context.now }, 'credit_note.voided')
}

/** Endpoints of https://docs.stripe.com/api/credit_notes. */
export const creditNoteRoutes = [
  ...resourceRoutes('credit_notes', {
    create: { params: createParams, run: createNote },
    list: { params: listParams, same: ['customer', 'invoice'] },
    update: {
      params: updateParams,
      run: (context, note, sent) =>
        change(context, 'credit_notes', note, p.sentChanges(note, sent), 'credit_note.updated'),
    },
  }),
  route('GET', '/v1/credit_notes/:id/lines', linesParams, (context, sent, id) => {
    const { lines } = requireRow(context, 'credit_notes', id)
    return page(lines.data.toReversed(), sent, lines.url)
  }),
  route('POST', '/v1/credit_notes/:id/void', p.noParams, (context, _sent, id) => voidNote(context, id)),
]
