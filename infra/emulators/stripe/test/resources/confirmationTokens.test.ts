import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { eachTest } from '../support/eachTest.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = eachTest(() => {
  const opened = Date.now() / 1000
  return openEmulator({ now: () => opened })
})
type TokenParams = NonNullable<Parameters<Stripe['testHelpers']['confirmationTokens']['create']>[0]>
const stripe = () => emulator().stripe
const newToken = (more: TokenParams = {}, card = 'pm_card_visa') =>
  stripe().testHelpers.confirmationTokens.create({ payment_method: card, ...more })
const pay = (confirmation_token: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe().paymentIntents.create({ amount: 900, currency: 'usd', confirm: true, confirmation_token, ...more })

describe('A confirmation token', () => {
  it('shows the card that was typed, without the id of a payment method', async () => {
    const shipping = { name: 'Ada', address: { country: 'DE', line1: 'Am Tor 1' } }
    const { id } = await newToken({ return_url: 'https://shop.example/', shipping })
    const token = await stripe().confirmationTokens.retrieve(id)
    expect(id).toMatch(/^ctoken_\w{24}$/)
    expect(token).toMatchObject({
      expires_at: token.created + 12 * 3600,
      payment_intent: null,
      payment_method_preview: { type: 'card', card: { last4: '4242' }, customer: null },
      return_url: 'https://shop.example/',
      shipping: { name: 'Ada', phone: null, address: { country: 'DE', line1: 'Am Tor 1', city: null } },
    })
    expect(token.payment_method_preview).not.toHaveProperty('id')
    await expectRefusal(stripe().confirmationTokens.retrieve('ctoken_x'), { statusCode: 404 })
  })

  it('pays once, and hands on what the payment is for', async () => {
    const { id: customer } = await stripe().customers.create()
    const { id } = await newToken({
      setup_future_usage: 'off_session',
      shipping: { name: 'Ada', address: { country: 'US' } },
    })
    const paid = await pay(id, { customer })
    expect(paid).toMatchObject({ status: 'succeeded', setup_future_usage: 'off_session', shipping: { name: 'Ada' } })
    expect((await stripe().paymentMethods.list({ customer })).data).toMatchObject([{ id: paid.payment_method }])
    expect((await stripe().confirmationTokens.retrieve(id)).payment_intent).toBe(paid.id)
    const used = { statusCode: 400, param: 'confirmation_token', message: expect.stringContaining('already been used') }
    await expectRefusal(pay(id), used)
  })

  it('confirms an intent that is open, of either kind', async () => {
    const open = await stripe().paymentIntents.create({ amount: 900, currency: 'usd' })
    const first = await newToken()
    const paid = await stripe().paymentIntents.confirm(open.id, { confirmation_token: first.id })
    expect(paid.status).toBe('succeeded')
    const { id: customer } = await stripe().customers.create()
    const setup = await stripe().setupIntents.create({ customer })
    const second = await newToken()
    const saved = await stripe().setupIntents.confirm(setup.id, { confirmation_token: second.id })
    expect(saved.status).toBe('succeeded')
    expect((await stripe().confirmationTokens.retrieve(second.id)).setup_intent).toBe(setup.id)
    const third = await newToken()
    const both = await stripe().setupIntents.create({ customer, confirm: true, confirmation_token: third.id })
    expect(both.status).toBe('succeeded')
  })

  it('is used up by a declined payment', async () => {
    const { id } = await newToken({}, 'pm_card_chargeDeclined')
    await expectRefusal(pay(id), { statusCode: 402, code: 'card_declined' })
    await expectRefusal(pay(id), { param: 'confirmation_token' })
  })

  it('is refused when it has expired, comes with a card or without a confirmation, or is made by a server', async () => {
    const { id } = await newToken()
    await expectRefusal(pay(id, { payment_method: 'pm_card_visa' }), { code: 'parameters_exclusive' })
    await expectRefusal(pay(id, { confirm: false }), { statusCode: 400, param: 'confirmation_token' })
    await expectRefusal(pay('ctoken_x'), { code: 'resource_missing', param: 'confirmation_token' })
    const made = stripe().rawRequest('POST', '/v1/confirmation_tokens', { payment_method: 'pm_card_visa' })
    await expectRefusal(made, { statusCode: 404 })
    await emulator().advance(12 * 3600)
    await expectRefusal(pay(id), { statusCode: 400, message: expect.stringContaining('expired') })
  })
})
