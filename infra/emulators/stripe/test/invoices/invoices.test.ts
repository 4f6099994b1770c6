import { afterAll, describe, expect, it } from '@jest/globals'
import { intentOf, invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, mustAuthenticate } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

async function incomplete(card = 'pm_card_chargeCustomerFail') {
  const payment_settings = { save_default_payment_method: 'on_subscription' } as const
  const subscription = await emulator.buy(card, { payment_settings })
  const invoice = invoiceOf(subscription)
  const intent = await intentOf(stripe, invoice)
  return { customer: String(subscription.customer), subscription, invoice, intent }
}
const attach = async (card: string, customer: string) => (await stripe.paymentMethods.attach(card, { customer })).id
const { statusOf } = emulator

describe('POST /v1/invoices/:id/pay', () => {
  it('pays with another card, activates the subscription and saves that card on it', async () => {
    const { customer, subscription, invoice } = await incomplete()
    const card = await attach('pm_card_mastercard', customer)
    const paid = await stripe.invoices.pay(invoice.id, { payment_method: card, off_session: false })
    expect([paid.status, paid.amount_paid, paid.amount_remaining]).toEqual(['paid', 4900, 0])
    const found = await stripe.subscriptions.retrieve(subscription.id)
    expect(found).toMatchObject({ status: 'active', default_payment_method: card })
    expect(await emulator.eventTypes()).toEqual(
      expect.arrayContaining(['invoice.paid', 'invoice.payment_succeeded', 'charge.succeeded']),
    )
  })

  it('answers 402 card_declined and stays open and incomplete when declined again', async () => {
    const { subscription, invoice, intent } = await incomplete()
    const refused = stripe.invoices.pay(invoice.id)
    await expectRefusal(refused, { statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'open', attempt_count: 2 })
    const shown = (await stripe.charges.list({ payment_intent: intent.id })).data.map(({ status }) => status)
    expect(shown).toEqual(['failed', 'failed'])
    expect(await statusOf(subscription.id)).toBe('incomplete')
  })

  it('answers 402 invoice_payment_intent_requires_action when the buyer must authenticate, who then can', async () => {
    const { customer, subscription, invoice, intent } = await incomplete()
    const card = await attach('pm_card_authenticationRequired', customer)
    await expectRefusal(stripe.invoices.pay(invoice.id, { payment_method: card, off_session: false }), mustAuthenticate)
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action')
    await emulator.authenticate(intent.id, 'succeed')
    expect(await statusOf(subscription.id)).toBe('active')
  })

  it.each([
    ['left out', {}],
    ['true', { off_session: true }],
  ])('is declined when the buyer must authenticate and off_session is %s', async (_case, presence) => {
    const { customer, subscription, invoice, intent } = await incomplete()
    const card = await attach('pm_card_authenticationRequired', customer)
    await expectRefusal(stripe.invoices.pay(invoice.id, { payment_method: card, ...presence }), {
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
    })
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    expect(await statusOf(subscription.id)).toBe('incomplete')
  })

  it("refuses an invoice already paid and another customer's card", async () => {
    const { customer, invoice } = await incomplete()
    const foreign = await attach('pm_card_visa', (await stripe.customers.create()).id)
    const refused = stripe.invoices.pay(invoice.id, { payment_method: foreign })
    await expectRefusal(refused, { statusCode: 400, param: 'payment_method' })
    const own = await attach('pm_card_visa', customer)
    await stripe.invoices.pay(invoice.id, { payment_method: own })
    await expectRefusal(stripe.invoices.pay(invoice.id), { statusCode: 400, message: 'Invoice is already paid' })
  })
})

describe('POST /v1/payment_intents/:id/confirm', () => {
  it('pays the invoice as Stripe.js would, and cannot be done twice', async () => {
    const { customer, subscription, intent } = await incomplete()
    const card = await attach('pm_card_visa', customer)
    expect((await stripe.paymentIntents.confirm(intent.id, { payment_method: card })).status).toBe('succeeded')
    expect(await statusOf(subscription.id)).toBe('active')
    const refused = stripe.paymentIntents.confirm(intent.id, { payment_method: card })
    await expectRefusal(refused, { statusCode: 400, code: 'payment_intent_unexpected_state' })
  })

  it('answers 402 and keeps the failed charge when declined', async () => {
    const { intent } = await incomplete('pm_card_authenticationRequired')
    const refused = stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclinedExpiredCard' })
    await expectRefusal(refused, { statusCode: 402, code: 'expired_card' })
    const shown = (await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })).latest_charge
    expect(shown).toMatchObject({ status: 'failed', failure_code: 'expired_card' })
  })
})

describe('POST /v1/invoices/:id/void', () => {
  it('voids an open invoice and cancels its PaymentIntent; a void invoice cannot be paid', async () => {
    const { invoice, intent } = await incomplete()
    expect((await stripe.invoices.voidInvoice(invoice.id)).status).toBe('void')
    const found = await stripe.paymentIntents.retrieve(intent.id)
    expect(found).toMatchObject({ status: 'canceled', cancellation_reason: 'void_invoice' })
    await expectRefusal(stripe.invoices.pay(invoice.id), { statusCode: 400 })
    await expectRefusal(stripe.invoices.voidInvoice(invoice.id), { statusCode: 400 })
  })
})

describe('GET /v1/invoice_payments', () => {
  it('finds the PaymentIntent of an invoice, and the invoice of a PaymentIntent', async () => {
    const { invoice, intent } = await incomplete()
    const payments = await stripe.invoicePayments.list({
      invoice: invoice.id,
      payment: { type: 'payment_intent' },
      expand: ['data.payment.payment_intent', 'data.invoice'],
    })
    expect(payments.data).toMatchObject([
      { status: 'open', payment: { payment_intent: { id: intent.id } }, invoice: { id: invoice.id } },
    ])
    const back = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent.id } })
    expect(back.data.map((row) => row.invoice)).toEqual([invoice.id])
  })
})

describe('POST /v1/refunds', () => {
  const paid = async () => (await intentOf(stripe, invoiceOf(await emulator.buy()))).id

  it('refunds a part, then the rest, and no more', async () => {
    const payment_intent = await paid()
    const found = await stripe.refunds.create({ payment_intent, amount: 900 })
    expect(found).toMatchObject({ status: 'succeeded', amount: 900 })
    const rest = await stripe.refunds.create({ payment_intent, reason: 'duplicate', expand: ['charge'] })
    expect(rest).toMatchObject({ amount: 4000, charge: { refunded: true, amount_refunded: 4900 } })
    await expectRefusal(stripe.refunds.create({ payment_intent }), { code: 'charge_already_refunded' })
    expect((await stripe.refunds.list({ payment_intent })).data).toHaveLength(2)
    const [event] = (await stripe.events.list({ types: ['charge.refunded'], limit: 1 })).data
    expect(event?.data.previous_attributes).toEqual({ amount_refunded: 900, refunded: false })
  })

  it('refuses more than was charged, and what was never charged', async () => {
    const payment_intent = await paid()
    await expectRefusal(stripe.refunds.create({ payment_intent, amount: 4901 }), { statusCode: 400, param: 'amount' })
    const { intent } = await incomplete()
    await expectRefusal(stripe.refunds.create({ payment_intent: intent.id }), { statusCode: 400 })
  })
})
