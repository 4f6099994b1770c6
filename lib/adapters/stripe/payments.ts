import type Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gatewayAnswer.ts'
import type { PaymentGateway } from '../../billing/ports.ts'
import type { GatewayCall } from './wireCall.ts'

type Payments = Pick<PaymentGateway, 'payInvoice' | 'refundSubscription'>

const DONE: GatewayAnswer<null> = { kind: 'ok', value: null, replayed: false }

/** Paying an open invoice with another card, and giving back what an orphan was paid. */
export function createPayments(stripe: Stripe, callGateway: GatewayCall): Payments {
  return {
    payInvoice(invoiceId, paymentMethodId, key) {
      // The buyer is present. Without it Stripe assumes the opposite and declines a card that asks for 3-D Secure.
      const params = { off_session: false, ...(paymentMethodId !== undefined && { payment_method: paymentMethodId }) }
      return callGateway(
        () => stripe.invoices.pay(invoiceId, params, { idempotencyKey: key }),
        () => null,
      )
    },

    async refundSubscription(subscriptionId) {
      const invoices = await callGateway(
        () =>
          stripe.invoices.list({ subscription: subscriptionId, status: 'paid', limit: 100, expand: ['data.payments'] }),
        ({ data }) => data.flatMap(paymentIntents),
      )
      if (invoices.kind !== 'ok') return invoices
      for (const paymentIntent of invoices.value) {
        const refunded = await callGateway(
          () => stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: `refund:${paymentIntent}` }),
          () => null,
        )
        const done = refunded.kind === 'ok' || (refunded.kind === 'refused' && refunded.reason === 'already_done')
        if (!done) return refunded
      }
      return DONE
    },
  }
}

function paymentIntents(invoice: Stripe.Invoice): string[] {
  return (invoice.payments?.data ?? []).flatMap(({ status, payment: { payment_intent: intent } }) => {
    if (status !== 'paid' || intent === undefined) return []
    return [typeof intent === 'string' ? intent : intent.id]
  })
}
