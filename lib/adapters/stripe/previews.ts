import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Amounts, Purchases } from '../../billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription, NextCharge } from '../../billing/gateway/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import { stripeStatusSchema } from './readSubscription.ts'
import { type GatewayCall, readLimits } from './wireCall.ts'

type Previews = Pick<Purchases, 'previewSubscription' | 'previewOpenPayment'>

/** The parts of a frozen request that decide its first invoice. */
const pricedRequest = z.object({
  items: z.array(z.object({ price: z.string() })),
  // Left out, Stripe takes the customer's, though the customer may begin anew in another.
  currency: z.optional(z.string()),
  discounts: z.optional(z.array(z.union([z.object({ coupon: z.string() }), z.object({ promotion_code: z.string() })]))),
  automatic_tax: z.optional(z.object({ enabled: z.boolean() })),
})

const invoiceSchema = z.object({
  subtotal: z.int(),
  subtotal_excluding_tax: z.nullish(z.int()),
  total: z.int(),
  currency: z.string(),
  total_taxes: z.nullish(z.array(z.object({ amount: z.int() }))),
})

const openSchema = z.object({ status: stripeStatusSchema, latest_invoice: z.nullable(invoiceSchema) })

/** The previews of `Purchases`, on Stripe's own (https://docs.stripe.com/api/invoices/create_preview): the code that bills computes them. */
export function createPreviews(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Previews {
  return {
    previewSubscription(frozenRequest, customerId, { answerBy }) {
      const { items, currency, discounts, automatic_tax } = pricedRequest.parse(JSON.parse(frozenRequest))
      const params: Stripe.InvoiceCreatePreviewParams = {
        subscription_details: { items },
        ...(customerId !== null && { customer: customerId }),
        ...(currency !== undefined && { currency }),
        ...(discounts && { discounts }),
        ...(automatic_tax && { automatic_tax }),
      }
      const limits = readLimits(clock, answerBy)
      return callGateway(() => stripe.invoices.createPreview(params), readAmounts, limits)
    },

    previewOpenPayment(subscriptionId, { answerBy }) {
      return callGateway(
        () => stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
        (object) => {
          const { status, latest_invoice: invoice } = openSchema.parse(object)
          return { status, amounts: invoice && amountsOf(invoice) }
        },
        readLimits(clock, answerBy),
      )
    },
  }
}

/** How long the preview of a renewal may take, in milliseconds: a purchase may wait to be recorded. */
const RENEWAL_PREVIEW = 3000

/**
 * The charge of a subscription's next period, without the customer's credit balance; undefined if it could not be previewed.
 * @param answerBy Unix milliseconds
 */
export async function previewRenewal(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
  { id, currentPeriodEnd: at }: GatewaySubscription,
  answerBy = Number.POSITIVE_INFINITY,
): Promise<NextCharge | undefined> {
  if (at === null) return undefined
  const limits = readLimits(clock, Math.min(answerBy, clock.now() + RENEWAL_PREVIEW))
  const answer = await callGateway(() => stripe.invoices.createPreview({ subscription: id }), readAmounts, limits)
  return answer.kind === 'ok' ? { amount: Math.max(0, answer.value.total), at } : undefined
}

function readAmounts(object: Stripe.Invoice): Amounts {
  return amountsOf(invoiceSchema.parse(object))
}

/** Stripe's `subtotal` and the amounts of its discounts contain the tax that a price includes. */
function amountsOf(invoice: z.output<typeof invoiceSchema>): Amounts {
  const { subtotal, subtotal_excluding_tax, total, currency, total_taxes: taxes } = invoice
  const amount = subtotal_excluding_tax ?? subtotal
  const tax = (taxes ?? []).reduce((sum, row) => sum + row.amount, 0)
  return { amount, discount: amount + tax - total, tax, total, currency }
}
