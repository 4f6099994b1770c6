import Stripe from 'stripe'

// A subscription's life by stripe-node: bought, changed, renewed by the clock, canceled, and read in lists of several pages.
const { STRIPE_BASE: base = '', STRIPE_KEY: key = '' } = process.env
const { hostname, port } = new URL(base)
const stripe = new Stripe(key, { protocol: 'http', host: hostname, port })

function check(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what))
}

async function advance(span: string): Promise<void> {
  const { status } = await fetch(`${base}/_emulator/clock`, { method: 'POST', body: JSON.stringify({ advance: span }) })
  check(status === 200, span)
}

const { id: product } = await stripe.products.create({ name: 'Mug of the month' })
const recurring = { interval: 'month' } as const
const { id: price } = await stripe.prices.create({ product, currency: 'usd', unit_amount: 900, recurring })
const card = 'pm_card_visa'
const { id: customer } = await stripe.customers.create({
  payment_method: card,
  invoice_settings: { default_payment_method: card },
})
const bought = await stripe.subscriptions.create({ customer, items: [{ price }], expand: ['latest_invoice.payments'] })
check(typeof bought.latest_invoice === 'object' && bought.latest_invoice?.amount_paid === 900, bought)
const items = [{ id: bought.items.data[0]?.id ?? '', quantity: 3 }]
const changed = await stripe.subscriptions.update(bought.id, { items, proration_behavior: 'none' })
check(changed.items.data[0]?.quantity === 3, changed)
await advance('1 month')
await advance('2 hours')
const paid: number[] = []
for await (const invoice of stripe.invoices.list({ customer, limit: 1 })) paid.push(invoice.amount_paid)
check(`${paid}` === '2700,900', paid)
const refused = await stripe.customers.create({ payment_method: 'pm_card_chargeDeclined' }).catch((error) => error)
check(refused instanceof Stripe.errors.StripeCardError && refused.code === 'card_declined', refused)
check((await stripe.subscriptions.cancel(bought.id)).status === 'canceled', bought.id)
console.log(Stripe.PACKAGE_VERSION, Stripe.API_VERSION)
