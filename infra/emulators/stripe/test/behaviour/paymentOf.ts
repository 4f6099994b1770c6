import type Stripe from 'stripe'

/** The latest invoice of a subscription and its PaymentIntent, null where nothing is to be paid. */
interface Payment {
  invoice: Stripe.Invoice
  intent: Stripe.PaymentIntent | null
}

/** Reads how the latest invoice of a subscription is paid. */
export async function paymentOf(stripe: Stripe, { latest_invoice }: Stripe.Subscription): Promise<Payment> {
  const id = typeof latest_invoice === 'string' ? latest_invoice : (latest_invoice?.id ?? '')
  const invoice = await stripe.invoices.retrieve(id, { expand: ['payments', 'confirmation_secret'] })
  const reference = invoice.payments?.data[0]?.payment.payment_intent
  if (reference === undefined) return { invoice, intent: null }
  const intent = typeof reference === 'string' ? await stripe.paymentIntents.retrieve(reference) : reference
  return { invoice, intent }
}

/** The same where something is to be paid. */
export async function demandOf(stripe: Stripe, subscription: Stripe.Subscription) {
  const { invoice, intent } = await paymentOf(stripe, subscription)
  if (intent === null) throw new Error('the invoice has no PaymentIntent')
  return { invoice, intent }
}
