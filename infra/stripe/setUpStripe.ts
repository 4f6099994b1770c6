import { isDeepStrictEqual } from 'node:util'
import Stripe from 'stripe'
import { gatewayEventTypes } from '../../lib/billing/gateway/gatewayEvent.ts'
import { type CatalogCoupon, type CatalogProduct, catalogCoupons, catalogProducts } from '../data/catalog.ts'
import { currency } from '../data/products.ts'
import { priceOf, seedCatalog } from './seedCatalog.ts'

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
  const { planCode, unitAmount } = row
  const what = `price ${planCode}, ${(unitAmount / 100).toFixed(2)} ${currency} a month`
  const { data } = await stripe.prices.list({ lookup_keys: [planCode], active: true })
  if (data.some((price) => isAsCataloged(price, row))) return { done, what }
  await stripe.prices.create({ ...priceOf(row), transfer_lookup_key: true })
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

/** Compares a coupon with the catalog, corrects its name, and creates its promotion code if that is missing. */
async function setUpCoupon(
  stripe: Stripe,
  row: CatalogCoupon,
  done: (id: string) => 'made' | 'kept',
): Promise<SetupStep[]> {
  const coupon = await stripe.coupons.retrieve(row.id, { expand: ['applies_to'] })
  return [await compared(stripe, coupon, row, done(row.id)), await codeOf(stripe, coupon, row, done(row.promotionCode))]
}

async function compared(
  stripe: Stripe,
  coupon: Stripe.Coupon,
  row: CatalogCoupon,
  done: 'made' | 'kept',
): Promise<SetupStep> {
  const there = {
    percentOff: coupon.percent_off,
    duration: coupon.duration,
    appliesTo: coupon.applies_to?.products ?? [],
    maxRedemptions: coupon.max_redemptions,
    expires: coupon.redeem_by !== null,
  }
  const wanted = {
    percentOff: row.percentOff,
    duration: 'once',
    appliesTo: row.appliesTo ?? [],
    maxRedemptions: row.maxRedemptions ?? null,
    expires: row.expired ?? false,
  }
  if (!isDeepStrictEqual(there, wanted)) {
    const terms = `${JSON.stringify(there)}, not ${JSON.stringify(wanted)}`
    return { done: 'differs', what: `coupon ${row.id} has ${terms}: delete it at Stripe, or give this one another id` }
  }
  const what = `coupon ${row.id}`
  if (coupon.name === row.name) return { done, what }
  await stripe.coupons.update(row.id, { name: row.name })
  return { done: 'changed', what }
}

async function codeOf(
  stripe: Stripe,
  coupon: Stripe.Coupon,
  { promotionCode: code, expired }: CatalogCoupon,
  done: 'made' | 'kept',
): Promise<SetupStep> {
  const what = `promotion code ${code}`
  const { data } = await stripe.promotionCodes.list({ code, coupon: coupon.id, limit: 1 })
  if (data.length > 0) return { done, what }
  // Stripe refuses a code for an invalid coupon.
  if (!coupon.valid) return { done: 'kept', what: `${what}: its coupon is no longer valid` }
  await stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon: coupon.id }, active: !expired })
  return { done: 'made', what }
}

const apiVersion = Stripe.API_VERSION

/** The step, and the signing secret if it created the endpoint. */
interface WebhookSetup {
  step: SetupStep
  secret: string | undefined
}

/**
 * Registers the service's webhook endpoint for the events it projects, in the API version it reads. If the URL has an endpoint already,
 * corrects its events; Stripe does not let its version change.
 */
async function setUpWebhook(stripe: Stripe, url: string): Promise<WebhookSetup> {
  const enabled_events = [...gatewayEventTypes]
  const what = `webhook endpoint ${url}`
  const known = await endpointOf(stripe, url)
  if (known === undefined) {
    const { secret } = await stripe.webhookEndpoints.create({ url, enabled_events, api_version: apiVersion })
    return { step: { done: 'made', what }, secret }
  }
  if (known.api_version !== apiVersion) {
    const version = known.api_version ?? "the account's version"
    const advice = `it sends events of ${version}, not ${apiVersion}: delete it at Stripe and run this again`
    return { step: { done: 'differs', what: `${what}: ${advice}` }, secret: undefined }
  }
  const complete = isSame(known.enabled_events, enabled_events) || known.enabled_events.includes('*')
  if (complete && known.status === 'enabled') return { step: { done: 'kept', what }, secret: undefined }
  await stripe.webhookEndpoints.update(known.id, { disabled: false, ...(!complete && { enabled_events }) })
  return { step: { done: 'changed', what }, secret: undefined }
}

async function endpointOf(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint | undefined> {
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) if (endpoint.url === url) return endpoint
  return undefined
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return isDeepStrictEqual([...some].sort(), [...others].sort())
}

/** `differs`: correct it by hand, because Stripe does not let it change. */
interface SetupStep {
  done: 'made' | 'changed' | 'kept' | 'differs'
  what: string
}
