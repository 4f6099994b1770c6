import type Stripe from 'stripe'
import * as z from 'zod'
import type { GatewayAnswer } from '../../billing/gatewayAnswer.ts'
import type { GatewayListing, Reversal } from '../../billing/ports.ts'
import { idOf } from './idOf.ts'
import { paymentIntentsOf } from './payments.ts'
import { pageAfter, pageOf } from './stripePage.ts'
import type { GatewayCall } from './wireCall.ts'

type ListedMoney = Pick<GatewayListing, 'listReversals' | 'findPaidInvoice' | 'countUnrefunded'>

const charge = z.object({ refunded: z.boolean() })
const refundSchema = z.object({
  status: z.string().nullable(),
  payment_intent: idOf.nullable(),
  charge: charge.nullable(),
})
const disputeSchema = z.object({ status: z.string(), payment_intent: idOf.nullable() })
const invoicePaymentSchema = z.object({
  invoice: z.object({
    id: z.string(),
    parent: z.object({ subscription_details: z.object({ subscription: idOf }).nullable() }).nullable(),
  }),
})
const paymentIntentSchema = z.object({ latest_charge: charge.nullable() })

/** What went back of what was paid: https://docs.stripe.com/api/refunds/list, https://docs.stripe.com/api/disputes/list. */
export function createListedMoney(stripe: Stripe, callGateway: GatewayCall): ListedMoney {
  async function countPaid(paymentIntents: readonly string[]): Promise<GatewayAnswer<number>> {
    let count = 0
    for (const id of paymentIntents) {
      const refunded = await callGateway(
        () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
        (intent) => paymentIntentSchema.parse(intent).latest_charge?.refunded === true,
      )
      if (refunded.kind !== 'ok') return refunded
      if (!refunded.value) count += 1
    }
    return { kind: 'ok', value: count, replayed: false }
  }

  return {
    listReversals(kind, since, cursor) {
      const params = { created: { gte: since }, ...pageAfter(cursor) }
      return kind === 'refund'
        ? callGateway(
            () => stripe.refunds.list({ ...params, expand: ['data.charge'] }),
            (page) => pageOf(page, readRefund),
          )
        : callGateway(
            () => stripe.disputes.list(params),
            (page) => pageOf(page, readDispute),
          )
    },

    findPaidInvoice: (paymentIntent) =>
      callGateway(
        () =>
          stripe.invoicePayments.list({
            payment: { type: 'payment_intent', payment_intent: paymentIntent },
            expand: ['data.invoice'],
          }),
        ({ data }) => {
          const [paid] = data.map((row) => invoicePaymentSchema.parse(row).invoice)
          const subscriptionId = paid?.parent?.subscription_details?.subscription
          return paid && subscriptionId !== undefined ? { subscriptionId, invoiceId: paid.id } : null
        },
      ),

    async countUnrefunded(subscription) {
      const paid = await callGateway(
        () => stripe.invoices.list({ subscription, status: 'paid', limit: 100, expand: ['data.payments'] }),
        ({ data }) => data.flatMap(paymentIntentsOf),
      )
      return paid.kind === 'ok' ? countPaid(paid.value) : paid
    },
  }
}

/** A refund without a PaymentIntent is of something that this service never sells. */
function readRefund(object: Stripe.Refund): Reversal[] {
  const { status, payment_intent, charge: refunded } = refundSchema.parse(object)
  const final = status === 'succeeded' && refunded?.refunded === true
  return payment_intent === null ? [] : [{ kind: 'refund', final, paymentIntentId: payment_intent }]
}

function readDispute(object: Stripe.Dispute): Reversal[] {
  const { status, payment_intent } = disputeSchema.parse(object)
  return payment_intent === null ? [] : [{ kind: 'dispute', final: status === 'lost', paymentIntentId: payment_intent }]
}
