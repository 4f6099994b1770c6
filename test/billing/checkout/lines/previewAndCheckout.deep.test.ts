import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { useCleanStack } from '../../useCleanStack.ts'
import { previewsOn } from './previews.ts'

const bed = useCleanStack()

const { expectSame, redeemed, cart } = previewsOn(bed)

describe('POST /api/billing/checkout/preview', () => {
  it.each<[string, string[], Stripe.CouponCreateParams | undefined, (string | number)[]]>([
    ['of one line', ['base_ota'], undefined, [4900]],
    ['of four lines', cart, undefined, [4900, 1900, 1500, 2900]],
    ['with an odd percentage', ['base_ota'], { percent_off: 33.33 }, [3267]],
    ['with a coupon and four lines', cart, { percent_off: 12.5 }, [4287, redeemed, redeemed, redeemed]],
    ['with an amount above the price', ['base_ota'], { amount_off: 10_000, currency: 'usd' }, [0]],
    [
      'with a coupon of its second product',
      cart.slice(0, 3),
      { percent_off: 25, applies_to: { products: ['prod_monitoring'] } },
      ['coupon_not_applicable', 1425, 'coupon_not_applicable'],
    ],
    [
      'with lines that are not sold, repeated or live',
      ['gold', 'base_ota', 'base_ota'],
      undefined,
      ['unknown_plan', 4900, 'already_subscribed'],
    ],
  ])('says what checkout then charges and refuses, of a cart %s', async (_, codes, terms, outcomes) => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const coupon = terms && (await stack.stripe.coupons.create({ duration: 'once', ...terms })).id
    expect(await expectSame(organizationId, codes, { card, ...(coupon && { coupon }) })).toEqual(outcomes)
  })
})
