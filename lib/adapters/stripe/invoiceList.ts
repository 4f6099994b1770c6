import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { InvoiceRow, Invoices } from '../../billing/gateway/gatewayPorts.ts'
import type { Page } from '../../billing/gateway/page.ts'
import { purchaseReferenceSchema } from '../../billing/gateway/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import { idOf } from './idOf.ts'
import { readLimits } from './readLimits.ts'
import type { GatewayCall, WireLimits } from './wireCall.ts'

const seconds = z.nullable(z.int())

const invoiceSchema = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  amount_due: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  created: z.int(),
  due_date: seconds,
  status_transitions: z.object({ paid_at: seconds }),
  hosted_invoice_url: z.nullish(z.string()),
  invoice_pdf: z.nullish(z.string()),
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ metadata: z.unknown() })) })),
  lines: z.object({
    data: z.array(z.object({ pricing: z.nullish(z.object({ price_details: z.nullish(z.object({ price: idOf })) })) })),
  }),
})

/**
 * `listInvoices` of `Invoices` on Stripe's list. Drafts, which are no invoices yet, are dropped from it and the page is filled from the
 * next one; its cursor is the id of its last row.
 */
export function createInvoiceList(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
): Pick<Invoices, 'listInvoices'> {
  const fetchPage = (customer: string, limit: number, after: string | undefined, limits: WireLimits) =>
    callGateway(
      () => stripe.invoices.list({ customer, limit, ...(after !== undefined && { starting_after: after }) }),
      ({ data, has_more }) => ({ rows: data.map((row) => invoiceSchema.parse(row)), more: has_more }),
      limits,
    )

  return {
    async listInvoices(customerId, { limit, after }, { answerBy }): Promise<GatewayAnswer<Page<InvoiceRow>>> {
      const rows: InvoiceRow[] = []
      let last = after
      for (;;) {
        const answer = await fetchPage(customerId, limit, last, readLimits(clock, answerBy))
        if (answer.kind !== 'ok') return answer
        for (const invoice of answer.value.rows) {
          // A full page ends here: what follows begins the next one.
          if (rows.length === limit) return { ...answer, value: pageUntil(rows, last) }
          last = invoice.id
          rows.push(...readInvoice(invoice))
        }
        if (!answer.value.more) return { ...answer, value: { rows } }
        if (rows.length === limit) return { ...answer, value: pageUntil(rows, last) }
      }
    },
  }
}

function pageUntil(rows: InvoiceRow[], last: string | undefined): Page<InvoiceRow> {
  return { rows, ...(last !== undefined && { next: last }) }
}

function readInvoice({ status, ...invoice }: z.output<typeof invoiceSchema>): InvoiceRow[] {
  if (status === 'draft') return []
  const { id, number, amount_due: amountDue, amount_paid: amountPaid, currency, created, due_date: dueAt } = invoice
  return [
    {
      ...{ id, number, status, amountDue, amountPaid, currency, createdAt: created, dueAt },
      paidAt: invoice.status_transitions.paid_at,
      hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
      invoicePdf: invoice.invoice_pdf ?? null,
      purchase: purchaseReferenceSchema.safeParse(invoice.parent?.subscription_details?.metadata).data ?? null,
      priceIds: invoice.lines.data.flatMap(({ pricing }) => pricing?.price_details?.price ?? []),
    },
  ]
}
