import type Stripe from 'stripe'

/** A product of this run with its prices. */
interface RunCatalog {
  product: string
  prices: { paid: string; free: string }
}

/** Creates the product and prices that a test file sells. */
export async function createRunCatalog(stripe: Stripe, run: string): Promise<RunCatalog> {
  const product = await stripe.products.create({ name: `Behaviour suite ${run}` })
  const price = (unit_amount: number) =>
    stripe.prices.create({ product: product.id, currency: 'usd', unit_amount, recurring: { interval: 'month' } })
  try {
    const [paid, free] = await Promise.all([price(4900), price(0)])
    return { product: product.id, prices: { paid: paid.id, free: free.id } }
  } catch (error) {
    await stripe.products.update(product.id, { active: false })
    throw error
  }
}

/** Archives them: what has prices cannot be deleted. */
export async function archiveRunCatalog(stripe: Stripe, { product, prices }: RunCatalog): Promise<void> {
  for (const price of Object.values(prices)) await stripe.prices.update(price, { active: false })
  await stripe.products.update(product, { active: false })
}
