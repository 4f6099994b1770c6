import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function refused(change: object, card: string | undefined = goodCard) {
  const { id: customer } = await account.customerWith(card)
  const params = { customer, items: [{ price: account.prices.paid }], ...change }
  return refusal(stripe.subscriptions.create(params))
}

describe('POST /v1/subscriptions refuses with 400', () => {
  it.each([
    ['an unknown customer', { customer: 'cus_unknown' }, 'resource_missing', 'customer'],
    ['an unknown price', { items: [{ price: 'price_unknown' }] }, 'resource_missing', 'items[0][price]'],
    ['an unknown card', { default_payment_method: 'pm_unknown' }, 'resource_missing', 'default_payment_method'],
    ['an unknown coupon', { discounts: [{ coupon: 'no-such-coupon' }] }, 'resource_missing', 'discounts[0][coupon]'],
    ['an unknown parameter', { frequency: 'often' }, 'parameter_unknown', 'frequency'],
    ['an unknown nested parameter', { items: [{ price: 'x', size: 1 }] }, 'parameter_unknown', 'items[0][size]'],
  ])('%s', async (_case, change, code, param) => {
    expect(await refused(change)).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', code, param })
  })

  it('a customer without a card, and says what to do', async () => {
    const { id: customer } = await account.customerWith()
    const error = await refusal(stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }] }))
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing' })
    expect(error.message).toMatch(/^This customer has no attached payment source or default payment method/)
  })

  it("another customer's card", async () => {
    const { id: other } = await account.customerWith()
    const { id: card } = await stripe.paymentMethods.attach(goodCard, { customer: other })
    const error = await refused({ default_payment_method: card })
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'default_payment_method' })
  })

  it('a customer that was deleted', async () => {
    const { id: customer } = await account.customerWith(goodCard)
    await stripe.customers.del(customer)
    expect(await refused({ customer })).toMatchObject({ code: 'resource_missing', param: 'customer' })
  })
})

describe('POST /v1/payment_methods/:id/attach', () => {
  it.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ])('answers 402 for %s', async (card, code, decline_code) => {
    const { id: customer } = await account.customerWith()
    await expectRefusal(stripe.paymentMethods.attach(card, { customer }), {
      statusCode: 402,
      type: 'StripeCardError',
      code,
      decline_code,
    })
  })
})

describe('expand', () => {
  it('reaches four levels deep, and refuses a fifth', async () => {
    const { id: customer } = await account.customerWith(goodCard)
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }] })
    const retrieve = (expand: string[]) => stripe.subscriptions.retrieve(id, { expand })
    const shown = await retrieve(['latest_invoice.payments', 'items.data.price.product'])
    expect(shown.items.data[0]?.price.product).toMatchObject({ object: 'product' })
    const error = await refusal(retrieve(['latest_invoice.payments.data.payment.payment_intent']))
    expect(error.statusCode).toBe(400)
    expect(error.message).toMatch('You cannot expand more than 4 levels of a property')
  })

  it('refuses what is no reference', async () => {
    const error = await refusal(stripe.customers.list({ limit: 1, expand: ['data.colour'] }))
    expect(error.statusCode).toBe(400)
    expect(error.message).toMatch('This property cannot be expanded (data.colour)')
  })
})
