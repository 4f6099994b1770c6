import { isDeepStrictEqual } from 'node:util'
import type Stripe from 'stripe'
import type { CatalogCoupon } from '../data/catalog.ts'
import type { SetupStep } from './setupStep.ts'

/** Compares a coupon with the catalog, corrects its name, and creates its promotion code if that is missing. */
export async function setUpCoupon(
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
