import type Stripe from 'stripe'

/** A stack, or a client of a stack, with the gateway’s SDK. */
type Gateway = { readonly stripe: Stripe }

/** The active price of a plan at the gateway. */
async function activePrice({ stripe }: Gateway, planCode: string): Promise<Stripe.Price> {
  const [price] = (await stripe.prices.list({ lookup_keys: [planCode], active: true })).data
  if (!price) throw new Error(`${planCode} has a price`)
  return price
}

/** Archives the price of a plan, as an operator does in the Dashboard, while something is done. */
export async function whileArchived<Result>(
  stack: Gateway,
  planCode: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const { id } = await activePrice(stack, planCode)
  await stack.stripe.prices.update(id, { active: false })
  try {
    return await act()
  } finally {
    await stack.stripe.prices.update(id, { active: true })
  }
}

/**
 * Replaces a price as Stripe recommends: a new price takes the lookup key over, and the old price stays active unless it is archived.
 * @param terms what differs from a monthly price in the same currency
 * @returns puts the old price back
 */
export async function replacePrice(
  stack: Gateway,
  planCode: string,
  terms: Partial<Stripe.PriceCreateParams> & { unit_amount: number },
  { archived = false } = {},
): Promise<() => Promise<unknown>> {
  const { stripe } = stack
  const old = await activePrice(stack, planCode)
  const moved = { lookup_key: planCode, transfer_lookup_key: true }
  const same = { currency: old.currency, recurring: { interval: 'month' }, product: String(old.product) } as const
  await stripe.prices.create({ ...same, ...terms, ...moved })
  if (archived) await stripe.prices.update(old.id, { active: false })
  return () => stripe.prices.update(old.id, { active: true, ...moved })
}
