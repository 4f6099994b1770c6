import { afterAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

async function setup(usage: 'off_session' | 'on_session' = 'off_session') {
  const { id: customer } = await stripe.customers.create()
  return stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'], usage })
}

describe('POST /v1/setup_intents', () => {
  it('answers a client secret and the computed list of types', async () => {
    const intent = await setup()
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      usage: 'off_session',
      payment_method_types: ['card'],
    })
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{31}$`))
  })

  it('attaches the card to the customer when confirmed', async () => {
    const { id, customer } = await setup()
    const done = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(done.status).toBe('succeeded')
    const cards = await stripe.paymentMethods.list({ customer: String(customer), type: 'card' })
    expect(cards.data.map((card) => card.id)).toEqual([done.payment_method])
    expect((await emulator.eventTypes()).slice(-2)).toEqual(['payment_method.attached', 'setup_intent.succeeded'])
    await expectRefusal(stripe.setupIntents.cancel(id), { code: 'setup_intent_unexpected_state' })
  })

  it('waits for 3-D Secure, and then succeeds or fails', async () => {
    for (const [outcome, status] of [
      ['succeed', 'succeeded'],
      ['fail', 'requires_payment_method'],
    ] as const) {
      const { id } = await setup()
      const waiting = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
      expect([waiting.status, waiting.next_action?.type]).toEqual(['requires_action', 'use_stripe_sdk'])
      await emulator.authenticate(id, outcome)
      expect((await stripe.setupIntents.retrieve(id)).status).toBe(status)
    }
  })

  it('answers 402 for a declining card and keeps the reason', async () => {
    const { id } = await setup()
    const refused = stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })
    await expectRefusal(refused, { statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
    const shown = (await stripe.setupIntents.retrieve(id)).last_setup_error
    expect(shown).toMatchObject({ decline_code: 'insufficient_funds' })
    expect((await emulator.eventTypes()).at(-1)).toBe('setup_intent.setup_failed')
  })

  it('lets a card that was set up pay off-session where its bank allows that', async () => {
    const { id, customer } = await setup()
    const confirmed = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
    await emulator.authenticate(id, 'succeed')
    const create = (off_session: boolean) =>
      emulator.subscribe(String(customer), { default_payment_method: String(confirmed.payment_method), off_session })
    expect((await create(true)).status).toBe('active')
    expect((await create(false)).status).toBe('incomplete')
  })
})

describe('Payment methods', () => {
  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'],
  ])('%s cannot be attached: 402 %s', async (card, code, decline_code) => {
    const { id: customer } = await stripe.customers.create()
    await expectRefusal(stripe.paymentMethods.attach(card, { customer }), { statusCode: 402, code, decline_code })
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
  })

  it.each([
    ['pm_card_visa', 'succeeded', 'succeeded'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'card_declined'],
    ['pm_card_authenticationRequired', 'requires_action', 'authentication_required'],
    ['pm_card_authenticationRequiredOnSetup', 'requires_action', 'authentication_required'],
    ['pm_card_authenticationRequiredSetupForOffSession', 'requires_action', 'succeeded'],
    ['pm_card_threeDSecure2Required', 'requires_action', 'authentication_required'],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'requires_action', 'authentication_required'],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'requires_action', 'authentication_required'],
  ])('%s can be attached; charged with the buyer: %s, without: %s', async (card, present, absent) => {
    const { id: customer } = await stripe.customers.create()
    const { id: payment_method } = await stripe.paymentMethods.attach(card, { customer })
    const charge = async (off_session: boolean) => {
      const params = { amount: 100, currency: 'usd', customer, payment_method, confirm: true, off_session }
      return stripe.paymentIntents.create(params).then(
        ({ status }) => status,
        async (error: unknown) => (await refusal(Promise.reject(error))).code,
      )
    }
    expect([await charge(false), await charge(true)]).toEqual([present, absent])
  })

  it.each([
    ['pm_card_threeDSecureRequiredChargeDeclined', 'generic_decline'],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('%s is declined once authenticated: %s', async (payment_method, decline_code) => {
    const { id } = await stripe.paymentIntents.create({ amount: 100, currency: 'usd', payment_method, confirm: true })
    await emulator.authenticate(id, 'succeed')
    expect((await stripe.paymentIntents.retrieve(id)).last_payment_error).toMatchObject({ decline_code })
  })

  it('is created anew for every use of a test id', async () => {
    const { id: customer } = await stripe.customers.create()
    const first = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const second = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    expect(first.id).toMatch(/^pm_\w{24}$/)
    expect(second.id).not.toBe(first.id)
    await expectRefusal(stripe.paymentMethods.attach('pm_card_unknown', { customer }), { code: 'resource_missing' })
  })

  it('once detached leaves the customer, names the customer in the event, and cannot be attached again', async () => {
    const { id: customer, invoice_settings } = await emulator.customerWith('pm_card_visa')
    const card = String(invoice_settings.default_payment_method)
    expect((await stripe.paymentMethods.detach(card)).customer).toBeNull()
    const [event] = (await stripe.events.list({ type: 'payment_method.detached' })).data
    expect(event).toMatchObject({ data: { object: { id: card, customer: null }, previous_attributes: { customer } } })
    const after = await stripe.customers.retrieve(customer)
    expect(after).toMatchObject({ invoice_settings: { default_payment_method: null } })
    await expectRefusal(stripe.paymentMethods.attach(card, { customer }), { statusCode: 400 })
  })
})

describe('DELETE /v1/customers/:id', () => {
  it('ends the subscriptions, is read back as deleted, and emits its events', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const { id } = await emulator.subscribe(customer)
    expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, deleted: true })
    expect(await stripe.customers.retrieve(customer)).toEqual(expect.objectContaining({ id: customer, deleted: true }))
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    const shown = (await emulator.eventTypes()).slice(-3)
    expect(shown).toEqual(['customer.subscription.deleted', 'payment_method.detached', 'customer.deleted'])
    await expectRefusal(stripe.customers.update(customer, { name: 'x' }), { statusCode: 404 })
  })
})

describe('Customers', () => {
  it('are created, changed and listed by email', async () => {
    const terms = { email: 'a@example.test', metadata: { k: 'v' }, address: { city: 'Bern' } }
    const { id } = await stripe.customers.create(terms)
    expect(id).toMatch(/^cus_\w{14}$/)
    const changed = await stripe.customers.update(id, { name: 'New', metadata: { k: '' } })
    expect(changed).toMatchObject({ name: 'New', metadata: {}, address: { city: 'Bern', line1: null } })
    const [event] = (await stripe.events.list({ type: 'customer.updated', limit: 1 })).data
    expect(event?.data.previous_attributes).toEqual({ name: null, metadata: { k: 'v' } })
    expect((await stripe.customers.list({ email: 'a@example.test' })).data.map((row) => row.id)).toEqual([id])
  })
})
