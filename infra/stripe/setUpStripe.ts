import type Stripe from 'stripe'
import { type CatalogProduct, catalogCoupons, catalogProducts, currency } from '../data/catalog.ts'
import { seedCatalog } from './seedCatalog.ts'
import { setUpCoupon } from './setUpCoupon.ts'
import { setUpWebhook } from './setUpWebhook.ts'
import type { SetupStep } from './setupStep.ts'

/** All steps. If they created a webhook endpoint, also its signing secret: Stripe returns it only once. */
interface Setup {
  steps: SetupStep[]
  webhookSecret: string | undefined
}

/**
 * Puts the catalog into a Stripe account, and registers a webhook endpoint if a URL is given. When you run it again it creates nothing
 * twice: it keeps what matches, corrects names, and replaces changed prices. Rejects with the SDK's errors.
 */
export async function setUpStripe(stripe: Stripe, options: { webhookUrl?: string } = {}): Promise<Setup> {
  const { ids: before, now } = await readAccount(stripe)
  await seedCatalog(stripe, now)
  const done = (id: string) => (before.has(id) ? 'kept' : 'made')
  const steps: SetupStep[] = []
  for (const row of catalogProducts) {
    steps.push(await setUpProduct(stripe, row, done(row.id)), await setUpPrice(stripe, row, done(row.planCode)))
  }
  for (const row of catalogCoupons) steps.push(...(await setUpCoupon(stripe, row, done)))
  if (options.webhookUrl === undefined) return { steps, webhookSecret: undefined }
  const { step, secret } = await setUpWebhook(stripe, options.webhookUrl)
  return { steps: [...steps, step], webhookSecret: secret }
}

/** The ids of existing products and coupons, lookup keys and promotion codes, and the gateway's clock in unix seconds. */
async function readAccount(stripe: Stripe): Promise<{ ids: Set<string>; now: number }> {
  const [products, prices, coupons, codes] = await Promise.all([
    stripe.products.list({ ids: catalogProducts.map(({ id }) => id) }),
    stripe.prices.list({ lookup_keys: catalogProducts.map(({ planCode }) => planCode) }),
    stripe.coupons.list({ limit: 100 }),
    Promise.all(catalogCoupons.map(({ promotionCode: code }) => stripe.promotionCodes.list({ code, limit: 1 }))),
  ])
  const ids = new Set([
    ...[...products.data, ...coupons.data].map(({ id }) => id),
    ...prices.data.map(({ lookup_key }) => lookup_key ?? ''),
    ...codes.flatMap(({ data }) => data.map(({ code }) => code)),
  ])
  return { ids, now: Date.parse(products.lastResponse.headers.date ?? '') / 1000 }
}

async function setUpProduct(
  stripe: Stripe,
  { id, name }: { id: string; name: string },
  done: 'made' | 'kept',
): Promise<SetupStep> {
  const what = `product ${id}`
  const product = await stripe.products.retrieve(id)
  if (product.active && product.name === name) return { done, what }
  await stripe.products.update(id, { name, active: true })
  return { done: 'changed', what }
}

/**
 * Gives the plan code a price as in the catalog. Stripe's prices do not change, so if the amount differs, a new price takes
 * the lookup key over. The old price stays active without a key: subscriptions and purchases under way keep it.
 */
async function setUpPrice(stripe: Stripe, row: CatalogProduct, done: 'made' | 'kept'): Promise<SetupStep> {
  const { id, name, planCode, unitAmount } = row
  const what = `price ${planCode}, ${(unitAmount / 100).toFixed(2)} ${currency} a month`
  const { data } = await stripe.prices.list({ lookup_keys: [planCode], active: true })
  if (data.some((price) => isAsCataloged(price, row))) return { done, what }
  await stripe.prices.create({
    product: id,
    currency,
    unit_amount: unitAmount,
    recurring: { interval: 'month' },
    lookup_key: planCode,
    nickname: name,
    transfer_lookup_key: true,
  })
  return { done: 'changed', what }
}

function isAsCataloged(price: Stripe.Price, { id, unitAmount }: CatalogProduct): boolean {
  const { product, recurring } = price
  return (
    (typeof product === 'string' ? product : product.id) === id &&
    price.unit_amount === unitAmount &&
    price.currency === currency &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  )
}
