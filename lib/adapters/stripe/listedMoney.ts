import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { GatewayListing, Reversal } from '../../billing/gateway/gatewayPorts.ts'
import { idOf } from './idOf.ts'
import { pageAfter, pageOf } from './stripePage.ts'
import type { GatewayCall } from './wireCall.ts'

type ListedMoney = Pick<GatewayListing, 'listReversals' | 'findPaidInvoice'>

const charge = z.object({ refunded: z.boolean() })
const refundSchema = z.object({
  status: z.nullable(z.string()),
  payment_intent: z.nullable(idOf),
  charge: z.nullable(charge),
})
const disputeSchema = z.object({ status: z.string(), payment_intent: z.nullable(idOf) })
const invoicePaymentSchema = z.object({
  invoice: z.object({
    id: z.string(),
    parent: z.nullable(z.object({ subscription_details: z.nullable(z.object({ subscription: idOf })) })),
  }),
})

/** What went back of what was paid: https://docs.stripe.com/api/refunds/list, https://docs.stripe.com/api/disputes/list. */
export function createListedMoney(stripe: Stripe, callGateway: GatewayCall): ListedMoney {
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
