import { afterAll, describe, expect, it } from '@jest/globals'
import { type Emulator, intentOf, invoiceOf, openEmulator, withPayment } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

const buy: Emulator['buy'] = (...terms) => emulator.buy(...terms)

it('POST /v1/subscriptions, given a card that works: answers active with a paid invoice, one charge and a period of a month', async () => {
  const subscription = await buy('pm_card_visa', { metadata: { n: '1' } })
  expect(subscription.status).toBe('active')
  const invoice = invoiceOf(subscription)
  expect([invoice.status, invoice.amount_paid, invoice.confirmation_secret]).toEqual(['paid', 4900, null])
  expect((await intentOf(stripe, invoice)).status).toBe('succeeded')
  const [item] = subscription.items.data
  expect(item?.current_period_end).toBeGreaterThan(subscription.created + 27 * 86_400)
  expect(invoice.parent?.subscription_details?.metadata).toEqual({ n: '1' })
})

describe('POST /v1/subscriptions, given a card whose charges are declined', () => {
  it('answers 200 incomplete with an open invoice and the reason on the PaymentIntent', async () => {
    const subscription = await buy('pm_card_chargeCustomerFail')
    const invoice = invoiceOf(subscription)
    expect([subscription.status, invoice.status, invoice.attempt_count]).toEqual(['incomplete', 'open', 1])
    const intent = await intentOf(stripe, invoice)
    const shown = [intent.status, intent.last_payment_error?.code, intent.last_payment_error?.decline_code]
    expect(shown).toEqual(['requires_payment_method', 'card_declined', 'generic_decline'])
  })

  it('answers 402 and keeps nothing with error_if_incomplete', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_chargeCustomerFail')
    await expectRefusal(emulator.subscribe(customer, { payment_behavior: 'error_if_incomplete' }), {
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    expect((await stripe.invoices.list({ customer })).data).toEqual([])
  })
})

describe('POST /v1/subscriptions, given a card that needs authentication', () => {
  it('answers 200 incomplete with a confirmation secret, and becomes active once authenticated', async () => {
    const created = await buy('pm_card_authenticationRequired')
    const invoice = invoiceOf(created)
    const intent = await intentOf(stripe, invoice)
    const shown = [created.status, intent.status, intent.next_action?.type]
    expect(shown).toEqual(['incomplete', 'requires_action', 'use_stripe_sdk'])
    expect(invoice.confirmation_secret).toEqual({ client_secret: intent.client_secret, type: 'payment_intent' })
    expect([invoice.attempted, invoice.attempt_count]).toEqual([true, 0])
    await emulator.authenticate(intent.id, 'succeed')
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('active')
  })

  it('stays incomplete when the authentication fails, with payment_intent_authentication_failure', async () => {
    const created = await buy('pm_card_threeDSecure2Required')
    const intent = await intentOf(stripe, invoiceOf(created))
    await emulator.authenticate(intent.id, 'fail')
    const after = await stripe.paymentIntents.retrieve(intent.id)
    const shown = [after.status, after.last_payment_error?.code]
    expect(shown).toEqual(['requires_payment_method', 'payment_intent_authentication_failure'])
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('incomplete')
  })

  it('declines after authentication where the card says so', async () => {
    const created = await buy('pm_card_threeDSecureRequiredChargeDeclined')
    const intent = await intentOf(stripe, invoiceOf(created))
    await emulator.authenticate(intent.id, 'succeed')
    expect((await stripe.paymentIntents.retrieve(intent.id)).last_payment_error?.code).toBe('card_declined')
  })

  it('answers 402 subscription_payment_intent_requires_action with error_if_incomplete', async () => {
    const terms = { payment_behavior: 'error_if_incomplete', off_session: true } as const
    const refused = buy('pm_card_authenticationRequired', terms)
    const code = 'subscription_payment_intent_requires_action'
    await expectRefusal(refused, { statusCode: 402, type: 'StripeCardError', code })
  })
})

it('POST /v1/subscriptions, given payment_behavior=default_incomplete: charges nothing until the PaymentIntent is confirmed, then saves the card that paid', async () => {
  const { id: customer } = await stripe.customers.create()
  const created = await emulator.subscribe(customer, {
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: withPayment,
  })
  const intent = await intentOf(stripe, invoiceOf(created))
  const shown = [created.status, intent.status, intent.setup_future_usage]
  expect(shown).toEqual(['incomplete', 'requires_payment_method', 'off_session'])
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' })
  const paid = await stripe.subscriptions.retrieve(created.id, { expand: ['default_payment_method'] })
  expect(paid).toMatchObject({
    status: 'active',
    default_payment_method: { customer, card: { brand: 'mastercard' } },
  })
})

describe('POST /v1/subscriptions, given nothing to pay', () => {
  it('answers active without a card or PaymentIntent for a free price', async () => {
    const { id: customer } = await stripe.customers.create()
    const created = await emulator.subscribe(customer, { items: [{ price: emulator.free }], expand: withPayment })
    const invoice = invoiceOf(created)
    expect([created.status, invoice.status, invoice.amount_due]).toEqual(['active', 'paid', 0])
    expect([invoice.confirmation_secret, invoice.payments?.data]).toEqual([null, []])
  })

  it('answers trialing for a trial, with a setup intent when there is no card', async () => {
    const { id: customer } = await stripe.customers.create()
    const created = await emulator.subscribe(customer, { trial_period_days: 14 })
    expect(created).toMatchObject({ status: 'trialing', trial_end: created.created + 14 * 86_400 })
    expect(created.pending_setup_intent).toMatch(/^seti_/)
  })
})
