/** @over-the-wire */
import { afterAll, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { startStripeEmulator } from '../../index.ts'
import { openReceiver } from '../support/openReceiver.ts'

const receiver = await openReceiver()
const emulator = await startStripeEmulator({
  clock: '2026-01-31T12:00:00Z',
  webhooks: [{ url: receiver.url, secret: 'whsec_test' }],
  apiVersions: ['any'],
  warn: () => {},
})
const { control, key, url } = emulator
afterAll(() => Promise.all([emulator.close(), receiver.close()]))

const eventTypes = () => receiver.received.map(({ body }): string => JSON.parse(body).type)

const { hostname: host, port } = new URL(url)
const stripe = new Stripe(key, { protocol: 'http', host, port, telemetry: false, maxNetworkRetries: 0 })

async function subscribe(card: string, sdk = stripe) {
  const { id: customer } = await sdk.customers.create({
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  })
  const { id: product } = await sdk.products.create({ name: 'Mug of the month' })
  const price_data = { currency: 'usd', product, unit_amount: 900, recurring: { interval: 'month' } } as const
  const { id: price } = await sdk.prices.create(price_data)
  return sdk.subscriptions.create({ customer, items: [{ price }], expand: ['latest_invoice.payments'] })
}

describe('startStripeEmulator', () => {
  it('has keys in the shape of Stripe’s', () => {
    expect(key).toMatch(/^sk_test_[A-Za-z0-9]{24}$/)
    expect(emulator.publishableKey).toMatch(/^pk_test_[A-Za-z0-9]{24}$/)
  })

  it('starts its clock at a time and moves it by spans of the calendar, webhooks included', async () => {
    const { id, created } = await subscribe('pm_card_visa')
    expect(new Date(created * 1000).toISOString()).toMatch(/^2026-01-31T12:00/)
    expect((await control.advance('1 month')).toISOString()).toMatch(/^2026-02-28T12:00/)
    await control.advance('2 hours')
    expect((await stripe.invoices.list({ subscription: id })).data.map(({ status }) => status)).toEqual([
      'paid',
      'paid',
    ])
    expect(eventTypes().filter((type) => type === 'invoice.paid')).toHaveLength(2)
  })

  it('loses an answer after its effect, and a request before it', async () => {
    control.loseAnswer({ method: 'POST', path: '/v1/customers', times: 2 })
    await expect(stripe.customers.create({ name: 'Lost' })).rejects.toMatchObject({ type: 'StripeConnectionError' })
    control.answer({ method: 'POST', path: '/v1/customers', status: 429 })
    control.loseRequest({ method: 'GET', path: '/v1/customers*', times: 2 })
    await expect(stripe.customers.list()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect((await stripe.customers.list()).data[0]).toMatchObject({ name: 'Lost' })
    expect(control.requests().filter(({ status }) => status === null).length).toBeGreaterThanOrEqual(2)
  })

  it('plays the recipe of its README: one charge though the answer is lost, and one for the renewal', async () => {
    await control.reset()
    const repeating = new Stripe(key, { protocol: 'http', host, port, telemetry: false })
    control.loseAnswer({ method: 'POST', path: '/v1/subscriptions' })
    await subscribe('pm_card_visa', repeating)
    expect((await stripe.charges.list()).data).toHaveLength(1)
    await control.advance('32 days')
    expect((await stripe.charges.list()).data).toHaveLength(2)
  })

  it('passes a 3-D Secure step, and holds webhooks back', async () => {
    await control.reset()
    control.holdWebhooks()
    const before = eventTypes().length
    const { id, latest_invoice: invoice } = await subscribe('pm_card_authenticationRequired')
    const payment = typeof invoice === 'object' ? invoice?.payments?.data[0]?.payment.payment_intent : undefined
    control.authenticate(String(payment), 'succeed')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(eventTypes()).toHaveLength(before)
    await control.deliverWebhooks()
    expect(eventTypes().slice(before)).toContain('invoice.paid')
    expect(control.violations()).toEqual([])
  })

  it('begins its time again after a reset', async () => {
    await control.advance('3 years')
    await control.reset()
    expect(control.now().toISOString()).toMatch(/^2026-01-31T12:/)
  })

  it('accepts other versions, and refuses what is no time', async () => {
    const old = await fetch(`${url}/v1/prices`, {
      headers: { authorization: `Bearer ${key}`, 'stripe-version': '2024-06-20' },
    })
    expect(old.status).toBe(200)
    await expect(control.advance('a while')).rejects.toThrow('such as 1 month')
    await expect(startStripeEmulator({ clock: 'soon' })).rejects.toThrow('2026-01-01T00:00:00Z')
  })
})

describe('POST /_emulator/clock', () => {
  const post = async (body: object): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${url}/_emulator/clock`, { method: 'POST', body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }

  it('takes a span too, and says what a span is', async () => {
    const before = control.now().getTime()
    expect((await post({ advance: '90 minutes' })).status).toBe(200)
    expect(control.now().getTime() - before).toBeGreaterThanOrEqual(5_400_000)
    for (const wrong of [
      { advance: 'soon' },
      { advance: '999999 years' },
      { advance: '1 month', advance_seconds: 1 },
      {},
    ]) {
      const { status, text } = await post(wrong)
      expect(status).toBe(400)
      expect(text).toContain('1 month')
    }
  })
})
