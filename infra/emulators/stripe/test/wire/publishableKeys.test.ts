/** @over-the-wire */
import { afterAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invoiceOf, openEmulator, secretKey } from '../support/openEmulator.ts'

const publishableKey = 'pk_test_local'
const origin = 'http://127.0.0.1:9999'

const answerSchema = z.looseObject({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.looseObject({ type: z.string(), code: z.string().optional(), param: z.string().optional() }).optional(),
})

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

/** A call as Stripe.js makes it in a page of another origin. */
async function call(method: string, path: string, form: Record<string, string> = {}, key = publishableKey) {
  const text = new URLSearchParams(form).toString()
  const response = await fetch(`${emulator.apiBase}${path}${method === 'GET' && text !== '' ? `?${text}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${key}`, origin, 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' && { body: text }),
  })
  return { status: response.status, headers: response.headers, body: answerSchema.parse(await response.json()) }
}

const cardForm = (number: string, more: Record<string, string> = {}) => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': '12',
  'card[exp_year]': '34',
  'card[cvc]': '123',
  'billing_details[address][postal_code]': '12345',
  ...more,
})

async function openSetup() {
  const customer = await stripe.customers.create({ name: 'Ada' })
  const terms = { customer: customer.id, allowed_payment_method_types: ['card'], metadata: { inner: 'note' } }
  const intent = await stripe.setupIntents.create(terms)
  return { id: intent.id, client_secret: intent.client_secret ?? '', customer: customer.id }
}

describe('A publishable key', () => {
  describe('Given a card', () => {
    it('saves it by its SetupIntent, and shows what the browser may know', async () => {
      const { id, client_secret, customer } = await openSetup()
      const made = await call('POST', '/v1/payment_methods', cardForm('5555 5555 5555 4444'))
      expect(made).toMatchObject({
        status: 200,
        body: {
          card: {
            brand: 'mastercard',
            last4: '4444',
            exp_month: 12,
            exp_year: 2034,
            checks: { cvc_check: 'unchecked', address_postal_code_check: 'unchecked' },
          },
          billing_details: { address: { postal_code: '12345' } },
        },
      })
      expect(made.body.card).not.toHaveProperty('fingerprint')
      expect(made.body).not.toHaveProperty('metadata')
      const form = { client_secret, payment_method: made.body.id ?? '', use_stripe_sdk: 'true' }
      const done = await call('POST', `/v1/setup_intents/${id}/confirm`, form)
      expect(done).toMatchObject({ status: 200, body: { status: 'succeeded', client_secret, usage: 'off_session' } })
      expect(done.body).not.toHaveProperty('customer')
      expect(done.body).not.toHaveProperty('metadata')
      const { data } = await stripe.customers.listPaymentMethods(customer)
      expect(data[0]?.card).toMatchObject({ last4: '4444', exp_year: 2034, checks: { cvc_check: 'pass' } })
    })

    it.each([
      ['4242424242424241', {}, [402, 'incorrect_number', 'number']],
      ['4012888888881881', {}, [402, 'card_declined', 'test_mode_live_card']],
      ['4242424242424242', { 'card[exp_year]': '2020' }, [402, 'invalid_expiry_year', 'exp_year']],
      ['4242424242424242', { 'card[exp_month]': '13' }, [402, 'invalid_expiry_month', 'exp_month']],
      ['4242424242424242', { 'card[cvc]': '12' }, [402, 'invalid_cvc', 'cvc']],
      ['378282246310005', { 'card[cvc]': '1234' }, [200, undefined, undefined]],
    ])('answers to %s with %j what Stripe does', async (number, more, expected) => {
      const { status, body } = await call('POST', '/v1/payment_methods', cardForm(number, { ...more }))
      expect([status, body.error?.code, body.error?.param ?? body.error?.decline_code]).toEqual(expected)
    })

    it('keeps no number and no security code, in no log and no state', async () => {
      await call('POST', '/v1/payment_methods', cardForm('4000056655665556', { 'card[cvc]': '987' }))
      await call('POST', '/v1/payment_methods', cardForm('4000056655665557', { 'card[cvc]': '987' }))
      const log = JSON.stringify(await emulator.control('GET', '/requests'))
      expect(log).toContain('************5556')
      expect(log).not.toMatch(/4000056655665556|4000056655665557|"987"/)
      expect(JSON.stringify(emulator.core.snapshot())).not.toMatch(/4000056655665556/)
    })
  })

  describe('Given a card that needs 3-D Secure', () => {
    it.each([
      ['succeed', 'succeeded', undefined],
      ['fail', 'requires_payment_method', 'setup_intent_authentication_failure'],
    ])('ends the step with the client secret: %s', async (outcome, status, code) => {
      const { id, client_secret } = await openSetup()
      const { body: method } = await call('POST', '/v1/payment_methods', cardForm('4000002500003155'))
      const form = { client_secret, payment_method: method.id ?? '' }
      const waiting = await call('POST', `/v1/setup_intents/${id}/confirm`, form)
      expect(waiting.body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
      const ended = await call('POST', `/v1/setup_intents/${id}/authenticate`, { client_secret, outcome })
      expect(ended.body).toMatchObject({ status })
      const read = await call('GET', `/v1/setup_intents/${id}`, { client_secret })
      expect(read.body).toMatchObject({ status, last_setup_error: code === undefined ? null : { code } })
    })

    it('pays a PaymentIntent after it', async () => {
      const intent = await stripe.paymentIntents.create({ amount: 1900, currency: 'eur' })
      const client_secret = intent.client_secret ?? ''
      const { body: method } = await call('POST', '/v1/payment_methods', cardForm('4000002760003184'))
      const form = { client_secret, payment_method: method.id ?? '' }
      expect((await call('POST', `/v1/payment_intents/${intent.id}/confirm`, form)).body.status).toBe('requires_action')
      const outcome = { client_secret, outcome: 'succeed' }
      const ended = await call('POST', `/v1/payment_intents/${intent.id}/authenticate`, outcome)
      expect(ended.body).toMatchObject({ status: 'succeeded', amount: 1900, currency: 'eur' })
      expect(ended.body).not.toHaveProperty('latest_charge')
      const charges = await stripe.charges.list({ payment_intent: intent.id })
      expect(charges.data[0]?.payment_method_details?.card).toMatchObject({ last4: '3184', exp_year: 2034 })
    })
  })

  it("ends the 3-D Secure step of a subscription's first invoice, which is then paid", async () => {
    const subscription = await emulator.buy('pm_card_threeDSecure2Required', { payment_behavior: 'default_incomplete' })
    const client_secret = invoiceOf(subscription).confirmation_secret?.client_secret ?? ''
    const [id = ''] = client_secret.split('_secret_')
    const path = `/v1/payment_intents/${id}`
    const card = String(subscription.default_payment_method ?? 'pm_card_threeDSecure2Required')
    await call('POST', `${path}/confirm`, { client_secret, payment_method: card })
    const ended = await call('POST', `${path}/authenticate`, { client_secret, outcome: 'succeed' })
    expect(ended.body.status).toBe('succeeded')
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  it('answers a decline with the intent as the browser may know it', async () => {
    const { id, client_secret } = await openSetup()
    const { body: method } = await call('POST', '/v1/payment_methods', cardForm('4000000000009995'))
    const form = { client_secret, payment_method: method.id ?? '' }
    const { status, body } = await call('POST', `/v1/setup_intents/${id}/confirm`, form)
    expect([status, body.error]).toMatchObject([
      402,
      { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', setup_intent: { id } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/metadata|"customer":"|fingerprint/)
  })

  it('is refused without the client secret of the intent', async () => {
    const { id, client_secret } = await openSetup()
    const other = await openSetup()
    const refused = async (form: Record<string, string>, path = `/v1/setup_intents/${id}`) => {
      const { status, body } = await call('GET', path, form)
      return [status, body.error?.code, body.error?.param]
    }
    expect(await refused({})).toEqual([400, 'parameter_missing', 'client_secret'])
    const found = await refused({ client_secret: other.client_secret })
    expect(found).toEqual([400, 'setup_intent_invalid_parameter', 'client_secret'])
    expect(await refused({ client_secret }, '/v1/setup_intents/seti_none')).toEqual([404, 'resource_missing', 'intent'])
    expect((await stripe.setupIntents.retrieve(id)).status).toBe('requires_payment_method')
  })

  it.each([
    ['GET', '/v1/customers'],
    ['POST', '/v1/customers'],
    ['GET', '/v1/payment_methods'],
    ['POST', '/v1/setup_intents'],
    ['POST', '/v1/payment_intents'],
    ['GET', '/v1/events'],
  ])('is refused for %s %s, which asks for a secret key', async (method, path) => {
    const { status, body } = await call(method, path, {})
    expect([status, body.error]).toMatchObject([403, { type: 'invalid_request_error', code: 'secret_key_required' }])
  })
})

describe('A secret key', () => {
  it('may not send card numbers, but may name a test token', async () => {
    const refused = await call('POST', '/v1/payment_methods', cardForm('4242424242424242'), secretKey)
    expect([refused.status, refused.body.error?.message]).toEqual([402, expect.stringMatching(/generally unsafe/)])
    const made = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_mastercard' } })
    expect(made.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
  })

  it('does not end a 3-D Secure step as Stripe.js does', async () => {
    const { id, client_secret } = await openSetup()
    const { status } = await call(
      'POST',
      `/v1/setup_intents/${id}/authenticate`,
      { client_secret, outcome: 'fail' },
      secretKey,
    )
    expect(status).toBe(404)
  })
})

describe('A page of another origin', () => {
  it('may call the API: preflights are answered without a key, and never with credentials', async () => {
    const response = await fetch(`${emulator.apiBase}/v1/payment_methods`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,stripe-version,idempotency-key',
      },
    })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type,stripe-version,idempotency-key',
      'access-control-allow-methods': expect.stringContaining('POST'),
    })
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await call('GET', '/v1/customers')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('may not use the controls', async () => {
    const preflight = await fetch(`${emulator.apiBase}/_emulator/reset`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    const read = await fetch(`${emulator.apiBase}/_emulator/state`, { headers: { origin } })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
  })
})
