import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type {
  InvoiceFilter,
  InvoiceOfCustomer,
  InvoiceRow,
  Invoices,
  Page,
  PaidInvoice,
} from '../../billing/gateway/gatewayPorts.ts'
import { isEnded, purchaseReferenceSchema } from '../../billing/gateway/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import { idIn, idOf } from './idOf.ts'
import { readPaymentOutcome, stripeStatusSchema } from './readSubscription.ts'
import { listOpenInvoices } from './sentInvoices.ts'
import { type GatewayCall, noValue, readLimits, type WireLimits } from './wireCall.ts'

const DONE: GatewayAnswer<null> = { kind: 'ok', value: null, replayed: false }

/** `Invoices` on Stripe's API. */
export function createInvoices(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Invoices {
  const listPaid = (subscription: string) =>
    callGateway(
      () => stripe.invoices.list({ subscription, status: 'paid', limit: 100, expand: ['data.payments'] }),
      ({ data }) =>
        data.map((invoice) => ({
          paidAt: invoice.status_transitions.paid_at ?? invoice.created,
          paymentIntents: paymentIntentsOf(invoice),
          paidOutside: (invoice.amount_paid_off_stripe ?? 0) > 0,
          paidLater: invoice.collection_method === 'send_invoice',
        })),
    )

  const isRefunded = (paymentIntent: string) =>
    callGateway(
      () => stripe.paymentIntents.retrieve(paymentIntent, { expand: ['latest_charge'] }),
      ({ latest_charge: charge }) => typeof charge === 'object' && charge?.refunded === true,
    )

  /** The newest invoice of a status, with its payments. */
  const findNewest = (subscription: string, status: 'open' | 'draft') =>
    callGateway(
      () => stripe.invoices.list({ subscription, status, limit: 1, expand: ['data.payments'] }),
      ({ data: [newest] }) => newest && { id: newest.id, intent: openPaymentIntent(newest) },
    )

  async function voidOpen(subscription: string): Promise<GatewayAnswer<null>> {
    const open = await callGateway(
      () => listOpenInvoices(stripe, subscription),
      ({ data }) => data.map(({ id }) => id),
    )
    if (open.kind !== 'ok') return open
    for (const id of open.value) {
      const voided = await callGateway(() => stripe.invoices.voidInvoice(id), noValue)
      // If it was paid since it was listed, the next attempt finds that payment.
      if (voided.kind !== 'ok') return { kind: 'unknown', saved: false }
    }
    return DONE
  }

  return {
    ...createInvoiceList(stripe, callGateway, clock),

    async findUnpaidInvoice(subscriptionId) {
      const open = await findNewest(subscriptionId, 'open')
      if (open.kind !== 'ok') return open
      if (open.value) {
        const { id, intent } = open.value
        if (intent === null) return { ...open, value: { id, isDraft: false, payment: { kind: 'none' } } }
        return callGateway(
          () => stripe.paymentIntents.retrieve(intent),
          (found) => ({ id, isDraft: false, payment: readPaymentOutcome(found) }),
        )
      }
      const draft = await findNewest(subscriptionId, 'draft')
      if (draft.kind !== 'ok') return draft
      return { ...draft, value: draft.value ? { id: draft.value.id, isDraft: true, payment: { kind: 'none' } } : null }
    },

    finalizeInvoice(invoiceId) {
      return callGateway(() => stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false }), noValue)
    },

    payInvoice(invoiceId, paymentMethodId, key) {
      // The buyer is present. Without it Stripe assumes the opposite and declines a card that asks for 3-D Secure.
      const params = { off_session: false, ...(paymentMethodId !== undefined && { payment_method: paymentMethodId }) }
      return callGateway(() => stripe.invoices.pay(invoiceId, params, { idempotencyKey: key }), noValue)
    },

    async voidInvoice(invoiceId) {
      const voided = await callGateway(() => stripe.invoices.voidInvoice(invoiceId), noValue)
      if (voided.kind !== 'refused') return voided
      // Stripe refuses with the same words an invoice that was paid, and an invoice that was voided before.
      const found = await callGateway(
        () => stripe.invoices.retrieve(invoiceId),
        ({ status }) => status,
      )
      if (found.kind !== 'ok') return found
      if (found.value === 'void') return DONE
      return found.value === 'paid' ? { kind: 'refused', reason: 'already_done' } : voided
    },

    async listPaidInvoices(subscriptionId) {
      const invoices = await listPaid(subscriptionId)
      if (invoices.kind !== 'ok') return invoices
      const paid: PaidInvoice[] = []
      for (const { paidAt, paymentIntents, paidOutside, paidLater } of invoices.value) {
        const refunds = await Promise.all(paymentIntents.map(isRefunded))
        const failed = refunds.find(({ kind }) => kind !== 'ok')
        if (failed && failed.kind !== 'ok') return failed
        const refunded = !paidOutside && refunds.every((answer) => answer.kind === 'ok' && answer.value)
        paid.push({ paidAt, refunded, refundable: !paidOutside, paidLater })
      }
      return { ...invoices, value: paid }
    },

    async refundSubscription(subscriptionId, paidAfter = 0) {
      const voided = await voidOpen(subscriptionId)
      if (voided.kind !== 'ok') return voided
      const listed = await listPaid(subscriptionId)
      if (listed.kind !== 'ok') return listed
      const invoices = listed.value.filter(({ paidAt }) => paidAt > paidAfter)
      const payments = invoices.flatMap(({ paymentIntents }) => paymentIntents)
      for (const paymentIntent of payments) {
        const refunded = await callGateway(
          () => stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: `refund:${paymentIntent}` }),
          noValue,
        )
        const done = refunded.kind === 'ok' || (refunded.kind === 'refused' && refunded.reason === 'already_done')
        if (!done) return refunded
      }
      if (invoices.some(({ paidOutside }) => paidOutside)) return { kind: 'refused', reason: 'other' }
      return { ...listed, value: payments.length }
    },
  }
}

/** The PaymentIntent of an open invoice with expanded `payments`. */
function openPaymentIntent(invoice: Stripe.Invoice): string | null {
  const payments = invoice.payments?.data ?? []
  return idIn((payments.find(({ is_default }) => is_default) ?? payments[0])?.payment.payment_intent)
}

/** The PaymentIntents that paid an invoice with expanded `payments`. */
function paymentIntentsOf(invoice: Stripe.Invoice): string[] {
  const paid = (invoice.payments?.data ?? []).filter(({ status }) => status === 'paid')
  return paid.flatMap(({ payment }) => idIn(payment.payment_intent) ?? [])
}

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
  parent: z.nullish(
    z.object({
      subscription_details: z.nullish(
        z.object({
          metadata: z.unknown(),
          subscription: z.object({ status: stripeStatusSchema, collection_method: z.string() }),
        }),
      ),
    }),
  ),
  lines: z.object({
    data: z.array(z.object({ pricing: z.nullish(z.object({ price_details: z.nullish(z.object({ price: idOf })) })) })),
  }),
})

const customerSchema = z.object({ customer: idOf })

/** What `readInvoice` needs to be expanded in an invoice. */
export const CHARGED = 'parent.subscription_details.subscription'

/**
 * `listInvoices` and `fetchInvoice` of `Invoices`. Drafts, which are no invoices yet, are left out and the page is filled from the next
 * page. The cursor is the id of the last row.
 */
function createInvoiceList(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
): Pick<Invoices, 'listInvoices' | 'fetchInvoice'> {
  const fetchPage = (sent: Stripe.InvoiceListParams, limits: WireLimits) =>
    callGateway(
      () => stripe.invoices.list({ ...sent, expand: [`data.${CHARGED}`] }),
      ({ data, has_more }) => ({ rows: data.map((row) => ({ id: row.id, read: readInvoice(row) })), more: has_more }),
      limits,
    )

  return {
    async listInvoices(customer, { limit, after, ...filter }, { answerBy }): Promise<GatewayAnswer<Page<InvoiceRow>>> {
      const rows: InvoiceRow[] = []
      const same = { customer, limit, ...paramsOf(filter) }
      let last = after
      for (;;) {
        const sent = { ...same, ...(last !== undefined && { starting_after: last }) }
        const answer = await fetchPage(sent, readLimits(clock, answerBy))
        if (answer.kind !== 'ok') return answer
        for (const { id, read } of answer.value.rows) {
          // The page is full: this row begins the next page.
          if (rows.length === limit) return { ...answer, value: pageUntil(rows, last) }
          last = id
          rows.push(...read)
        }
        if (!answer.value.more) return { ...answer, value: { rows } }
        if (rows.length === limit) return { ...answer, value: pageUntil(rows, last) }
      }
    },

    async fetchInvoice(invoiceId, { answerBy }) {
      const fetched = await callGateway(
        () => stripe.invoices.retrieve(invoiceId, { expand: [CHARGED] }),
        (object): InvoiceOfCustomer | null => {
          const [invoice] = readInvoice(object)
          return invoice ? { invoice, customerId: customerSchema.parse(object).customer } : null
        },
        readLimits(clock, answerBy),
      )
      const isUnknown = fetched.kind === 'refused' && fetched.reason === 'not_found'
      return isUnknown ? DONE : fetched
    },
  }
}

/** Stripe refuses times that it could not have. */
const EARLIEST = 0
const LATEST = 2 ** 32 - 1

function paramsOf({ status, from, to }: InvoiceFilter): Stripe.InvoiceListParams {
  const seconds = (time: number) => Math.min(Math.max(Math.ceil(time / 1000), EARLIEST), LATEST)
  const created = {
    ...(from !== undefined && { gte: seconds(from) }),
    ...(to !== undefined && { lt: seconds(to) }),
  }
  return { ...(status && { status }), ...(Object.keys(created).length > 0 && { created }) }
}

function pageUntil(rows: InvoiceRow[], last: string | undefined): Page<InvoiceRow> {
  return { rows, ...(last !== undefined && { next: last }) }
}

/** An invoice as its customer sees it; nothing of a draft, which is no invoice yet. */
export function readInvoice(object: Stripe.Invoice): InvoiceRow[] {
  const { status, ...invoice } = invoiceSchema.parse(object)
  if (status === 'draft') return []
  const { id, number, amount_due: amountDue, amount_paid: amountPaid, currency, created, due_date: dueAt } = invoice
  return [
    {
      ...{ id, number, status, amountDue, amountPaid, currency, createdAt: created, dueAt },
      paidAt: invoice.status_transitions.paid_at,
      hostedInvoiceUrl: status === 'open' && buysNothing(invoice) ? null : (invoice.hosted_invoice_url ?? null),
      invoicePdf: invoice.invoice_pdf ?? null,
      purchase: purchaseReferenceSchema.safeParse(invoice.parent?.subscription_details?.metadata).data ?? null,
      priceIds: invoice.lines.data.flatMap(({ pricing }) => pricing?.price_details?.price ?? []),
    },
  ]
}

/** Whether an invoice would charge a card for a subscription that has ended. An invoice that was sent is owed after the end too. */
function buysNothing({ parent }: Pick<z.output<typeof invoiceSchema>, 'parent'>): boolean {
  const charged = parent?.subscription_details?.subscription
  return charged?.collection_method === 'charge_automatically' && isEnded(charged.status)
}
