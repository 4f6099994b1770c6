import type Stripe from 'stripe'
import * as z from 'zod'
import { type GatewaySubscription, type PaymentOutcome, purchaseReferenceSchema } from '../../billing/subscription.ts'
import { idOf } from './idOf.ts'
import { stripeStatusSchema } from './readStatus.ts'
import { readComment } from './requestedChange.ts'

/** What is read of a subscription: four levels of expansion are Stripe's limit, so the payment itself takes another call. */
export const SUBSCRIPTION_EXPANSION = ['latest_invoice.confirmation_secret', 'latest_invoice.payments']

/** Written with the cancellation of surplus, in one call: a crash after it does not hide that the refund is due. */
export const REFUND_DUE = 'Surplus: to be refunded'

const subscriptionSchema = z.object({
  id: z.string(),
  status: stripeStatusSchema,
  customer: idOf,
  metadata: z.record(z.string(), z.string()),
  created: z.number(),
  cancel_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  cancellation_details: z.object({ comment: z.string().nullable() }).nullish(),
  items: z.object({ data: z.array(z.object({ current_period_end: z.number() })) }),
  latest_invoice: z
    .object({
      id: z.string(),
      status: z.string().nullable(),
      billing_reason: z.string().nullable().optional(),
      payments: z
        .object({
          data: z.array(z.object({ payment: z.object({ payment_intent: idOf.optional() }), is_default: z.boolean() })),
        })
        .optional(),
    })
    .nullable()
    .catch(null),
})

/** A subscription and the PaymentIntent of its latest invoice while that is unpaid: it shows whether the buyer is waited for. */
export interface ReadSubscription {
  subscription: GatewaySubscription
  openPaymentIntentId: string | null
}

/**
 * Reduces Stripe's subscription to what is acted on.
 * @param coveredUntil Unix seconds of the gateway's clock
 * @throws z.ZodError for an object that is no subscription; the call then counts as unknown
 */
export function readSubscription(object: Stripe.Subscription, coveredUntil: number): ReadSubscription {
  const parsed = subscriptionSchema.parse(object)
  const periodEnds = parsed.items.data.map((item) => item.current_period_end)
  return {
    openPaymentIntentId: openPaymentIntentOf(parsed),
    subscription: {
      gateway: 'card',
      id: parsed.id,
      status: parsed.status,
      customerId: parsed.customer,
      purchase: purchaseReferenceSchema.safeParse(parsed.metadata).data ?? null,
      createdAt: parsed.created,
      currentPeriodEnd: periodEnds.length > 0 ? Math.min(...periodEnds) : null,
      cancelAt: parsed.cancel_at,
      endedAt: parsed.ended_at,
      invoiceId: parsed.latest_invoice?.id ?? null,
      wasPaid: wasPaid(parsed.latest_invoice),
      payment: { kind: 'none' },
      requested: readComment(parsed.cancellation_details?.comment),
      refundDue: parsed.cancellation_details?.comment === REFUND_DUE,
      coveredUntil,
    },
  }
}

/** A renewal leaves a subscription unpaid whose invoice may still be a draft, or paid or given up by hand. */
function openPaymentIntentOf({ status, latest_invoice: invoice }: z.output<typeof subscriptionSchema>): string | null {
  const isOpen =
    status === 'incomplete' || ((status === 'past_due' || status === 'unpaid') && invoice?.status === 'open')
  const payments = isOpen ? (invoice?.payments?.data ?? []) : []
  const payment = payments.find(({ is_default }) => is_default) ?? payments[0]
  return payment?.payment.payment_intent ?? null
}

/** A later invoice than the first comes only after that one was paid. */
function wasPaid(latest: z.output<typeof subscriptionSchema>['latest_invoice']): boolean {
  if (latest === null) return false
  const isFirst = (latest.billing_reason ?? 'subscription_create') === 'subscription_create'
  return !isFirst || latest.status === 'paid'
}

/** The state of a subscription's open payment. */
export function readPaymentOutcome(intent: Stripe.PaymentIntent): PaymentOutcome {
  const paymentMethod = typeof intent.payment_method === 'string' ? intent.payment_method : intent.payment_method?.id
  switch (intent.status) {
    case 'requires_action':
    case 'requires_confirmation':
      return intent.client_secret === null
        ? { kind: 'none' }
        : { kind: 'requires_action', clientSecret: intent.client_secret, paymentMethodId: paymentMethod ?? null }
    case 'requires_payment_method':
    case 'canceled': {
      const error = intent.last_payment_error
      return { kind: 'declined', declineCode: error?.decline_code ?? error?.code ?? null }
    }
    default:
      return { kind: 'none' }
  }
}
