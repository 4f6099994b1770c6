import { afterAll, describe, expect, it } from '@jest/globals'
import { invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

const newPrice = (more: object) => emulator.newPrice(1000, more)

describe('Prices', () => {
  it('are found by lookup key, active ones only if asked, product expanded', async () => {
    const { id } = await newPrice({ lookup_key: 'addon' })
    const find = (active: boolean) =>
      stripe.prices.list({ lookup_keys: ['addon', 'none'], active, expand: ['data.product'] })
    expect((await find(true)).data).toMatchObject([{ id, product: { id: 'prod_ota', name: 'OTA' } }])
    await stripe.prices.update(id, { active: false })
    expect((await find(true)).data).toEqual([])
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    await expectRefusal(stripe.subscriptions.create({ customer, items: [{ price: id }] }), { param: 'items[0][price]' })
  })

  it('share no lookup key, unless it is transferred', async () => {
    const first = await newPrice({ lookup_key: 'moving' })
    await expectRefusal(newPrice({ lookup_key: 'moving' }), { statusCode: 400, param: 'lookup_key' })
    const second = await newPrice({ lookup_key: 'moving', transfer_lookup_key: true })
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull()
    expect((await stripe.prices.list({ lookup_keys: ['moving'] })).data.map(({ id }) => id)).toEqual([second.id])
  })

  it('carry decimals as the SDK reads them', async () => {
    expect(String((await newPrice({})).unit_amount_decimal)).toBe('1000')
  })
})

describe('Coupons', () => {
  async function buyWith(discounts: { coupon?: string; promotion_code?: string }[]) {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    return emulator.subscribe(customer, { discounts, expand: ['latest_invoice', 'discounts'] })
  }

  it('are used up after max_redemptions: no longer valid, and refused', async () => {
    const { id } = await stripe.coupons.create({ percent_off: 25, duration: 'forever', max_redemptions: 1 })
    const subscription = await buyWith([{ coupon: id }])
    const invoice = invoiceOf(subscription)
    expect([invoice.subtotal, invoice.total, invoice.amount_paid]).toEqual([4900, 3675, 3675])
    expect(invoice.total_discount_amounts).toMatchObject([{ amount: 1225 }])
    expect(subscription.discounts).toMatchObject([{ source: { type: 'coupon', coupon: id }, end: null }])
    expect(await stripe.coupons.retrieve(id)).toMatchObject({ valid: false, times_redeemed: 1 })
    expect((await refusal(buyWith([{ coupon: id }]))).message).toMatch(/used up/)
  })

  it('expire at redeem_by', async () => {
    const terms = { amount_off: 500, currency: 'usd', redeem_by: emulator.core.now() + 60 }
    const { id } = await stripe.coupons.create(terms)
    expect(invoiceOf(await buyWith([{ coupon: id }])).total).toBe(4400)
    await emulator.advance(61)
    expect((await stripe.coupons.retrieve(id)).valid).toBe(false)
    await expectRefusal(buyWith([{ coupon: id }]), { statusCode: 400, code: 'coupon_expired' })
  })

  it('for other products take nothing off, and show applies_to only when expanded', async () => {
    const { id } = await stripe.coupons.create({ percent_off: 50, applies_to: { products: ['prod_free'] } })
    expect(invoiceOf(await buyWith([{ coupon: id }])).total).toBe(4900)
    expect((await stripe.coupons.retrieve(id)).applies_to).toBeUndefined()
    const shown = (await stripe.coupons.retrieve(id, { expand: ['applies_to'] })).applies_to
    expect(shown).toEqual({ products: ['prod_free'] })
  })

  it('are not redeemed by a purchase that is refused as a whole', async () => {
    const { id } = await stripe.coupons.create({ percent_off: 10, max_redemptions: 1 })
    const { id: customer } = await emulator.customerWith('pm_card_chargeCustomerFail')
    const params = {
      customer,
      items: [{ price: emulator.ota }],
      discounts: [{ coupon: id }],
      payment_behavior: 'error_if_incomplete' as const,
    }
    await refusal(stripe.subscriptions.create(params))
    expect((await stripe.coupons.retrieve(id)).times_redeemed).toBe(0)
  })

  it('are found by promotion code in any case, which is inactive once its coupon is used up', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, max_redemptions: 1 })
    await stripe.promotionCodes.create({ code: 'Spring-26', promotion: { type: 'coupon', coupon } })
    const find = () =>
      stripe.promotionCodes.list({ code: 'SPRING-26', active: true, limit: 1, expand: ['data.promotion.coupon'] })
    const [code] = (await find()).data
    expect(code).toMatchObject({ code: 'Spring-26', active: true, promotion: { coupon: { id: coupon, valid: true } } })
    expect(invoiceOf(await buyWith([{ promotion_code: code?.id ?? '' }])).total).toBe(3920)
    expect((await find()).data).toEqual([])
    expect(await stripe.promotionCodes.retrieve(code?.id ?? '')).toMatchObject({ active: false, times_redeemed: 1 })
    expect((await refusal(buyWith([{ promotion_code: code?.id ?? '' }]))).statusCode).toBe(400)
  })

  it('limit a promotion code to its customer, its minimum and its expiry', async () => {
    const { id: customer } = await stripe.customers.create()
    const promotion = { type: 'coupon' as const, coupon: 'HALF' }
    const codes = await Promise.all([
      stripe.promotionCodes.create({ promotion, customer }),
      stripe.promotionCodes.create({
        promotion,
        restrictions: { minimum_amount: 5000, minimum_amount_currency: 'usd' },
      }),
      stripe.promotionCodes.create({ promotion, expires_at: emulator.core.now() + 60 }),
    ])
    await emulator.advance(61)
    for (const { id } of codes)
      expect((await refusal(buyWith([{ promotion_code: id }]))).param).toBe('discounts[0][promotion_code]')
  })
})

describe('DELETE /v1/products/:id', () => {
  it('deletes a product that has no price', async () => {
    const { id } = await stripe.products.create({ name: 'Mug' })
    expect(await stripe.products.del(id)).toMatchObject({ id, deleted: true })
    expect((await emulator.eventTypes()).at(-1)).toBe('product.deleted')
    await expectRefusal(stripe.products.retrieve(id), { statusCode: 404 })
    const refused = { statusCode: 400, message: expect.stringContaining('prices') }
    await expectRefusal(stripe.products.del('prod_ota'), refused)
  })
})
