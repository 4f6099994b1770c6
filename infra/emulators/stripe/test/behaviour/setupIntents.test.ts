import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal } from '../support/refusal.ts'
import { goodCard, itWhere, openTestAccount, supports } from './openTestAccount.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function open() {
  const { id: customer } = await account.customerWith()
  const intent = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  return { customer, intent }
}

describe('POST /v1/setup_intents', () => {
  it('returns a client secret and the computed payment_method_types', async () => {
    const { intent } = await open()
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
      payment_method_types: ['card'],
    })
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w+$`))
  })

  it('refuses payment_method_types, which this API version removed', async () => {
    const params = { usage: 'off_session' as const, payment_method_types: ['card'] }
    await expectRefusal(stripe.setupIntents.create(params), {
      statusCode: 400,
      code: 'payment_method_types_no_longer_supported',
      param: 'payment_method_types',
    })
  })
})

describe('POST /v1/setup_intents/:id/confirm', () => {
  it('attaches the card to the customer, once', async () => {
    const { customer, intent } = await open()
    const done = await stripe.setupIntents.confirm(intent.id, { payment_method: goodCard })
    expect(done.status).toBe('succeeded')
    const cards = await stripe.paymentMethods.list({ customer, type: 'card' })
    expect(cards.data.map(({ id }) => id)).toEqual([done.payment_method])
    const refused = stripe.setupIntents.cancel(intent.id)
    await expectRefusal(refused, { statusCode: 400, code: 'setup_intent_unexpected_state' })
  })

  it('answers 402 for a card that declines, and keeps the reason', async () => {
    const { customer, intent } = await open()
    const card = 'pm_card_visa_chargeDeclinedInsufficientFunds'
    const refused = stripe.setupIntents.confirm(intent.id, { payment_method: card })
    await expectRefusal(refused, { statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
    const after = await stripe.setupIntents.retrieve(intent.id)
    const shown = [after.status, after.last_setup_error?.decline_code]
    expect(shown).toEqual(['requires_payment_method', 'insufficient_funds'])
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
  })

  it('waits for the buyer where the card asks for 3-D Secure', async () => {
    const { intent } = await open()
    const card = 'pm_card_authenticationRequiredOnSetup'
    const waiting = await stripe.setupIntents.confirm(intent.id, { payment_method: card })
    expect([waiting.status, waiting.next_action?.type]).toEqual(['requires_action', 'use_stripe_sdk'])
  })

  itWhere(supports.authentication)('succeeds once the buyer has authenticated', async () => {
    const { intent } = await open()
    await stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
    await account.authenticate(intent.id, 'succeed')
    expect((await stripe.setupIntents.retrieve(intent.id)).status).toBe('succeeded')
  })
})
