import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'
import { paymentOf } from './paymentOf.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function buyWith(discount: Stripe.SubscriptionCreateParams.Discount) {
  const { id: customer } = await account.customerWith(goodCard)
  return stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }], discounts: [discount] })
}
const totalOf = async (subscription: Stripe.Subscription) => (await paymentOf(stripe, subscription)).invoice.total

describe('A coupon', () => {
  it('takes its percentage off the invoice, and counts the redemption', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 25, duration: 'once' })
    expect(await totalOf(await buyWith({ coupon }))).toBe(3675)
    expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(1)
  })

  it('takes its amount off the invoice', async () => {
    const { id: coupon } = await account.coupon({ amount_off: 500, currency: 'usd', duration: 'once' })
    expect(await totalOf(await buyWith({ coupon }))).toBe(4400)
  })

  it('is invalid and refused once its redemptions are used up', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 10, duration: 'once', max_redemptions: 1 })
    await buyWith({ coupon })
    expect(await stripe.coupons.retrieve(coupon)).toMatchObject({ valid: false, times_redeemed: 1 })
    expect((await refusal(buyWith({ coupon }))).statusCode).toBe(400)
  })

  it('stays used by a declined purchase, also after that was canceled', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 10, duration: 'once', max_redemptions: 1 })
    const { id: customer } = await account.customerWith('pm_card_chargeCustomerFail')
    const discounts = [{ coupon }]
    const bought = await stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }], discounts })
    expect([bought.status, bought.discounts]).toMatchObject(['incomplete', [expect.any(String)]])
    await stripe.subscriptions.cancel(bought.id)
    expect(await stripe.coupons.retrieve(coupon)).toMatchObject({ valid: false, times_redeemed: 1 })
    const expand = ['discounts.source.coupon']
    const { discounts: kept } = await stripe.subscriptions.retrieve(bought.id, { expand })
    expect(kept).toMatchObject([{ source: { coupon: { id: coupon, max_redemptions: 1 } } }])
  })

  it('shows the products it applies to only when expanded', async () => {
    const { product } = await stripe.prices.retrieve(account.prices.paid)
    const applies_to = { products: [String(product)] }
    const { id } = await account.coupon({ percent_off: 10, duration: 'once', applies_to })
    expect((await stripe.coupons.retrieve(id)).applies_to).toBeUndefined()
    expect((await stripe.coupons.retrieve(id, { expand: ['applies_to'] })).applies_to).toEqual(applies_to)
  })

  it('is refused where its id is already taken', async () => {
    const terms = { id: account.unique('taken'), percent_off: 10, duration: 'once' as const }
    await account.coupon(terms)
    await expectRefusal(stripe.coupons.create(terms), { statusCode: 400, code: 'resource_already_exists' })
  })
})

describe('A promotion code', () => {
  it('is found in any case, is redeemed by its id, and is inactive once its coupon is used up', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 20, duration: 'once', max_redemptions: 1 })
    const code = account.unique('Spring')
    const { id } = await account.promotionCode({ code, promotion: { type: 'coupon', coupon } })
    const find = () =>
      stripe.promotionCodes.list({ code: code.toUpperCase(), active: true, expand: ['data.promotion.coupon'] })
    expect((await find()).data).toMatchObject([{ id, code, promotion: { coupon: { id: coupon, valid: true } } }])
    expect(await totalOf(await buyWith({ promotion_code: id }))).toBe(3920)
    expect((await find()).data).toEqual([])
    expect((await refusal(buyWith({ promotion_code: id }))).statusCode).toBe(400)
  })

  it('is refused to every customer but its own', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 20, duration: 'once' })
    const { id: customer } = await account.customerWith(goodCard)
    const { id } = await account.promotionCode({ promotion: { type: 'coupon', coupon }, customer })
    await expectRefusal(buyWith({ promotion_code: id }), { statusCode: 400 })
  })

  it('takes its coupon only under `promotion`', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 20, duration: 'once' })
    const flat = { promotion: { type: 'coupon' as const, coupon }, coupon }
    const refused = stripe.promotionCodes.create(flat)
    await expectRefusal(refused, { statusCode: 400, code: 'parameter_unknown', param: 'coupon' })
  })
})
