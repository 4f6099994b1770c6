import Stripe from 'stripe'
import type { StripeEmulator } from '../../index.ts'

/** Fills an account with one object at least of every kind that the emulator makes: what engines that copy an account have to read. */
export async function fillAccount({ url, key, control }: StripeEmulator): Promise<void> {
  const { hostname, port } = new URL(url)
  const stripe = new Stripe(key, { protocol: 'http', host: hostname, port })
  const card = 'pm_card_visa'
  const { id: product } = await stripe.products.create({ name: 'Mug of the week' })
  const recurring = { interval: 'week' } as const
  const { id: price } = await stripe.prices.create({ product, currency: 'usd', unit_amount: 900, recurring })
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const promotion = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'MUGS' })
  const { id: customer } = await stripe.customers.create({
    name: 'Ada',
    email: 'ada@example.com',
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  })
  await stripe.customers.createTaxId(customer, { type: 'eu_vat', value: 'DE123456789' })
  await stripe.customers.createSource(customer, { source: 'tok_mastercard' })
  await stripe.setupIntents.create({
    customer,
    payment_method: card,
    confirm: true,
    allowed_payment_method_types: ['card'],
  })
  const items = [{ price }]
  const sold = await stripe.subscriptions.create({ customer, items, discounts: [{ promotion_code: promotion.id }] })
  await stripe.subscriptionSchedules.create({ from_subscription: sold.id })
  const trial = await stripe.subscriptions.create({ customer, items, trial_period_days: 7 })
  await stripe.subscriptions.cancel(trial.id)
  const pay = { currency: 'usd', amount: 2000, customer, confirm: true, off_session: true } as const
  const { latest_charge: charge } = await stripe.paymentIntents.create({ ...pay, payment_method: card })
  if (typeof charge !== 'string') throw new Error('a payment left no charge')
  await stripe.refunds.create({ charge, amount: 500 })
  await stripe.paymentIntents.create({ ...pay, payment_method: 'pm_card_createDispute' })
  await stripe.invoiceItems.create({ customer, currency: 'usd', amount: 300 })
  const draft = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  await stripe.invoices.pay(draft.id)
  await stripe.creditNotes.create({ invoice: draft.id, amount: 100, refund_amount: 100 })
  const { id: declined } = await stripe.customers.create({ name: 'Bob' })
  const saved = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: declined })
  await stripe.subscriptions.create({ customer: declined, items, default_payment_method: saved.id })
  // A renewal, while the events of the purchase are still listed.
  await control.advance('1 week')
  await control.advance('2 hours')
}
