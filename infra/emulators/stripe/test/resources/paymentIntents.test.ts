import { afterAll, describe, expect, it } from '@jest/globals'
import { intentOf, invoiceOf, openEmulator, secretKey, withPayment } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())
const { paymentIntents } = stripe
const open = (more: object = {}) => paymentIntents.create({ amount: 2500, currency: 'usd', ...more })

describe('POST /v1/payment_intents', () => {
  it('opens a PaymentIntent that waits for a card, and charges when confirmed', async () => {
    const { id, status, client_secret } = await open({ description: 'one', metadata: { a: 'b' } })
    expect([status, client_secret]).toEqual(['requires_payment_method', expect.stringMatching(`^${id}_secret_`)])
    expect((await paymentIntents.update(id, { amount: 2600, payment_method: 'pm_card_visa' })).status).toBe(
      'requires_confirmation',
    )
    const paid = await paymentIntents.confirm(id, { expand: ['latest_charge'] })
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2600, latest_charge: { amount: 2600 } })
  })

  it('with confirm charges at once, or answers 402 and keeps the attempt', async () => {
    expect((await open({ confirm: true, payment_method: 'pm_card_visa' })).status).toBe('succeeded')
    const { id: customer } = await stripe.customers.create()
    const declined = open({ customer, confirm: true, payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })
    await expectRefusal(declined, { statusCode: 402, decline_code: 'insufficient_funds' })
    const [kept] = (await paymentIntents.list({ customer })).data
    expect(kept).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } })
  })

  it('attaches the card with setup_future_usage; an unattached one cannot be used again', async () => {
    const { id: customer } = await stripe.customers.create()
    const terms = { customer, confirm: true, payment_method: 'pm_card_visa', setup_future_usage: 'off_session' }
    const kept = await open(terms)
    expect((await stripe.paymentMethods.list({ customer })).data).toMatchObject([{ id: kept.payment_method }])
    const loose = await open({ customer, confirm: true, payment_method: 'pm_card_visa' })
    const again = stripe.paymentMethods.attach(String(loose.payment_method), { customer })
    await expectRefusal(again, { statusCode: 400 })
  })

  it('waits for 3-D Secure on-session, and answers 402 authentication_required off-session', async () => {
    const payment_method = 'pm_card_authenticationRequired'
    const { id, status, next_action } = await open({ confirm: true, payment_method })
    expect([status, next_action?.type]).toEqual(['requires_action', 'use_stripe_sdk'])
    expect(await emulator.authenticate(id, 'succeed')).toMatchObject({ status: 'succeeded' })
    const refused = open({ confirm: true, off_session: true, payment_method })
    await expectRefusal(refused, { statusCode: 402, code: 'authentication_required' })
  })

  it('refuses too little, off_session without confirm, and payment_method_types', async () => {
    await expectRefusal(open({ amount: 49 }), { code: 'amount_too_small', param: 'amount' })
    await expectRefusal(open({ off_session: true }), { statusCode: 400, param: 'off_session' })
    await expectRefusal(open({ payment_method_types: ['card'] }), { code: 'payment_method_types_no_longer_supported' })
  })
})

describe('A PaymentIntent that is captured by hand', () => {
  const authorized = () => open({ capture_method: 'manual', confirm: true, payment_method: 'pm_card_visa' })
  const newest = async () => (await emulator.eventTypes()).slice(-2)

  it('is authorized when confirmed, and charged when captured, whole', async () => {
    const { id, status, amount_capturable, amount_received } = await authorized()
    expect([status, amount_capturable, amount_received]).toEqual(['requires_capture', 2500, 0])
    expect(await newest()).toEqual(['charge.succeeded', 'payment_intent.amount_capturable_updated'])
    await expectRefusal(paymentIntents.capture(id, { amount_to_capture: 2000 }), { statusCode: 501 })
    await expectRefusal(paymentIntents.capture(id, { amount_to_capture: 2501 }), { code: 'amount_too_large' })
    const captured = await paymentIntents.capture(id, { expand: ['latest_charge'] })
    expect(captured).toMatchObject({
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: 2500,
      latest_charge: { captured: true, amount_captured: 2500 },
    })
    expect(await newest()).toEqual(['charge.captured', 'payment_intent.succeeded'])
    await expectRefusal(paymentIntents.capture(id), { code: 'payment_intent_unexpected_state' })
  })

  it('gives the money back when it is canceled', async () => {
    const { id, latest_charge } = await authorized()
    expect(await paymentIntents.cancel(id)).toMatchObject({ status: 'canceled', amount_capturable: 0 })
    const charge = await stripe.charges.retrieve(String(latest_charge))
    expect(charge).toMatchObject({ captured: false, refunded: true })
    expect(emulator.core.violations()).toEqual([])
  })
})

describe('A PaymentIntent', () => {
  it('hands where it is shipped to on to its charge', async () => {
    const shipping = { name: 'Ada', address: { line1: 'Main St 1', country: 'US' } }
    const { shipping: kept, latest_charge } = await open({ confirm: true, payment_method: 'pm_card_visa', shipping })
    expect(kept).toMatchObject({ name: 'Ada', address: { line1: 'Main St 1', city: null } })
    expect((await stripe.charges.retrieve(String(latest_charge))).shipping).toEqual(kept)
  })

  it('that a server confirms is confirmed by no browser, and takes no 3-D Secure step', async () => {
    const by_server = { confirmation_method: 'manual', confirm: true }
    expect(await open({ ...by_server, payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' })
    const step = open({ ...by_server, payment_method: 'pm_card_authenticationRequired' })
    await expectRefusal(step, { statusCode: 501, param: 'confirmation_method' })
    const { id, client_secret } = await open({ confirmation_method: 'manual' })
    const body = new URLSearchParams({ client_secret: client_secret ?? '', payment_method: 'pm_card_visa' })
    const headers = { authorization: 'Bearer pk_test_local' }
    const answer = await fetch(`${emulator.apiBase}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      body,
      headers,
    })
    expect(Object(await answer.json()).error).toMatchObject({ param: 'confirmation_method' })
  })
})

describe('POST /v1/payment_intents/:id/cancel', () => {
  it('cancels an unpaid PaymentIntent for good', async () => {
    const { id } = await open()
    const found = await paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
    expect(found).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
    for (const late of [paymentIntents.cancel(id), paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })]) {
      await expectRefusal(late, { statusCode: 400, code: 'payment_intent_unexpected_state' })
    }
  })

  it('refuses a paid PaymentIntent, and answers 501 for that of an invoice', async () => {
    const { id } = await open({ confirm: true, payment_method: 'pm_card_visa' })
    await expectRefusal(paymentIntents.cancel(id), { code: 'payment_intent_unexpected_state' })
    const { id: customer } = await emulator.customerWith('pm_card_chargeCustomerFail')
    const subscription = await emulator.subscribe(customer, { expand: withPayment })
    const intent = await intentOf(stripe, invoiceOf(subscription))
    await expectRefusal(paymentIntents.cancel(intent.id), { statusCode: 501 })
  })
})

describe('POST /v1/refunds/:id', () => {
  it('changes metadata, with both events of a refund', async () => {
    const { id } = await open({ confirm: true, payment_method: 'pm_card_visa' })
    const { id: refund } = await stripe.refunds.create({ payment_intent: id, amount: 100 })
    expect((await stripe.refunds.update(refund, { metadata: { order: '7' } })).metadata).toEqual({ order: '7' })
    expect((await emulator.eventTypes()).slice(-2)).toEqual(['refund.updated', 'charge.refund.updated'])
  })
})

describe('Test payment methods that fail after the charge', () => {
  it('include pm_card_refundFail, whose refund succeeds first and fails some time later', async () => {
    const { id } = await open({ confirm: true, payment_method: 'pm_card_refundFail' })
    const refund = await stripe.refunds.create({ payment_intent: id, expand: ['charge'] })
    expect(refund).toMatchObject({ status: 'succeeded', charge: { refunded: true } })
    await emulator.advance(3600)
    expect(await stripe.refunds.retrieve(refund.id, { expand: ['charge'] })).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      charge: { refunded: false, amount_refunded: 0 },
    })
    expect(await emulator.eventTypes()).toContain('refund.failed')
    expect(emulator.core.violations()).toEqual([])
  })

  it('include pm_card_pendingRefund, whose refund succeeds some time later', async () => {
    const { id } = await open({ confirm: true, payment_method: 'pm_card_pendingRefund' })
    const refund = await stripe.refunds.create({ payment_intent: id })
    expect(refund.status).toBe('pending')
    await emulator.advance(3600)
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded')
    expect((await emulator.eventTypes()).slice(-2)).toEqual(['refund.updated', 'charge.refund.updated'])
    expect(emulator.core.violations()).toEqual([])
  })

  it('include no other pm_card name', async () => {
    const answer = await fetch(`${emulator.apiBase}/v1/payment_methods/pm_card_madeUp`, {
      headers: { authorization: `Bearer ${secretKey}` },
    })
    expect(answer.status).toBe(404)
  })
})
