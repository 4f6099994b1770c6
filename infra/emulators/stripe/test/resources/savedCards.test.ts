import { afterAll, describe, expect, it } from '@jest/globals'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openSubscriber()
const { stripe } = emulator
afterAll(() => emulator.close())

const attach = async (card: string, customer = emulator.customer) =>
  (await stripe.paymentMethods.attach(card, { customer })).id
const lastEvent = async (type: string) => (await stripe.events.list({ type, limit: 1 })).data[0]

describe('Given a customer with several saved cards', () => {
  it('lists them newest first, a page at a time, from either address', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const mastercard = await attach('pm_card_mastercard', customer)
    const amex = await attach('pm_card_amex', customer)
    const first = await stripe.customers.listPaymentMethods(customer, { limit: 2, type: 'card' })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[amex, mastercard], true])
    const next = { limit: 2, starting_after: mastercard }
    const rest = await stripe.customers.listPaymentMethods(customer, next)
    expect([rest.data.map(({ card }) => card?.brand), rest.has_more]).toEqual([['visa'], false])
    expect((await stripe.paymentMethods.list({ customer, type: 'card', ...next })).data).toEqual(rest.data)
    expect((await stripe.customers.listPaymentMethods(customer, { allow_redisplay: 'always' })).data).toEqual([])
  })

  it("reads one of them, and 404 for anyone else's", async () => {
    const { customer } = emulator
    const own = await attach('pm_card_mastercard')
    const { id: stranger } = await stripe.customers.create()
    expect(await stripe.customers.retrievePaymentMethod(customer, own)).toMatchObject({ id: own, customer })
    const refused = stripe.customers.retrievePaymentMethod(stranger, own)
    await expectRefusal(refused, { statusCode: 404, code: 'resource_missing', param: 'payment_method' })
    await expectRefusal(stripe.customers.listPaymentMethods('cus_unknown'), { statusCode: 404 })
    await expectRefusal(stripe.paymentMethods.list({ customer: 'cus_unknown' }), { statusCode: 400 })
  })

  it('changes expiry, billing details and metadata, and says what they were', async () => {
    const id = await attach('pm_card_visa')
    const updated = await stripe.paymentMethods.update(id, {
      card: { exp_month: 2, exp_year: 2029 },
      billing_details: { name: 'Ada', address: { country: 'de', line2: '' } },
      metadata: { used_for: 'test' },
    })
    expect(updated).toMatchObject({
      card: { exp_month: 2, exp_year: 2029, last4: '4242' },
      billing_details: { name: 'Ada', email: null, address: { country: 'DE', line2: null } },
      metadata: { used_for: 'test' },
    })
    const shown = (await lastEvent('payment_method.updated'))?.data.previous_attributes
    expect(shown).toMatchObject({ card: { exp_month: 11 }, billing_details: { name: null } })
    await stripe.paymentMethods.detach(id)
    const refused = stripe.paymentMethods.update(id, { metadata: { a: 'b' } })
    await expectRefusal(refused, { statusCode: 400, message: expect.stringContaining('save this PaymentMethod') })
  })
})

describe('Given a card that is the default of its customer and of a subscription', () => {
  it('leaves both without a default when it is detached, and can never be used again', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const card = await attach('pm_card_mastercard', customer)
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    const { id } = await emulator.buy({ customer, default_payment_method: card })
    await stripe.paymentMethods.detach(card)
    expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()
    const { invoice_settings } = Object(await stripe.customers.retrieve(customer))
    expect(invoice_settings).toMatchObject({ default_payment_method: null })
    const shown = (await lastEvent('payment_method.detached'))?.data
    expect(shown).toMatchObject({ object: { id: card, customer: null }, previous_attributes: { customer } })
    const uses = [
      stripe.paymentMethods.attach(card, { customer }),
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }),
      stripe.subscriptions.update(id, { default_payment_method: card }),
      stripe.paymentMethods.detach(card),
    ]
    for (const use of uses) await expectRefusal(use, { statusCode: 400 })
  })

  it.each(['customer', 'subscription'])(
    "refuses another customer's or an unknown card as default of a %s",
    async (of) => {
      const { customer } = emulator
      const { id } = await emulator.buy()
      const foreign = await attach('pm_card_visa', (await stripe.customers.create()).id)
      const use = (card: string) =>
        of === 'customer'
          ? stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
          : stripe.subscriptions.update(id, { default_payment_method: card })
      for (const card of [foreign, 'pm_unknown']) {
        const error = await refusal(use(card))
        expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing' })
        expect(error.param).toContain('default_payment_method')
      }
    },
  )
})
