import { afterAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

describe('POST /v1/subscriptions refuses', () => {
  it.each([
    [
      'an unknown customer',
      { customer: 'cus_unknown' },
      { statusCode: 400, code: 'resource_missing', param: 'customer' },
    ],
    [
      'an unknown price',
      { items: [{ price: 'price_unknown' }] },
      { statusCode: 400, code: 'resource_missing', param: 'items[0][price]' },
    ],
    [
      'an unknown card',
      { default_payment_method: 'pm_unknown' },
      { code: 'resource_missing', param: 'default_payment_method' },
    ],
    [
      'an unknown parameter',
      { frequency: 'often' },
      { statusCode: 400, code: 'parameter_unknown', param: 'frequency' },
    ],
    [
      'an unknown nested parameter',
      { items: [{ price: 'x', size: 1 }] },
      { code: 'parameter_unknown', param: 'items[0][size]' },
    ],
    [
      'a parameter it does not cover',
      { billing_cycle_anchor: 2_000_000_000 },
      { statusCode: 501, code: 'not_covered' },
    ],
    [
      'a nested parameter it does not cover',
      { items: [{ price: 'x', tax_rates: ['txr_1'] }] },
      { statusCode: 501, message: expect.stringContaining('tax_rates') },
    ],
    [
      'a value it does not cover',
      { payment_settings: { payment_method_options: { card: { request_three_d_secure: 'any' } } } },
      { statusCode: 501, message: expect.stringContaining('any') },
    ],
    [
      'what is for updates only',
      { payment_behavior: 'pending_if_incomplete' },
      { statusCode: 400, param: 'payment_behavior' },
    ],
    [
      'an unknown coupon',
      { discounts: [{ coupon: 'NOPE' }] },
      { code: 'resource_missing', param: 'discounts[0][coupon]' },
    ],
    [
      'a metadata value that is too long',
      { metadata: { key: 'x'.repeat(501) } },
      { statusCode: 400, param: 'metadata' },
    ],
  ])('%s', async (_case, change, expected) => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const params = { customer, items: [{ price: emulator.ota }], ...change }
    await expectRefusal(stripe.subscriptions.create(params), expected)
  })

  it('a customer without any card', async () => {
    const { id: customer } = await stripe.customers.create()
    const error = await refusal(stripe.subscriptions.create({ customer, items: [{ price: emulator.ota }] }))
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing' })
    expect(error.message).toMatch(/^This customer has no attached payment source or default payment method/)
  })

  it("another customer's card", async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const other = await emulator.customerWith('pm_card_visa')
    const { default_payment_method: foreign } = other.invoice_settings
    const card = typeof foreign === 'string' ? foreign : ''
    const error = await refusal(
      stripe.subscriptions.create({ customer, items: [{ price: emulator.ota }], default_payment_method: card }),
    )
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'default_payment_method' })
  })

  it('a deleted customer', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    await stripe.customers.del(customer)
    const error = await refusal(stripe.subscriptions.create({ customer, items: [{ price: emulator.ota }] }))
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' })
  })
})
