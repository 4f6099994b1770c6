import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { openEmulator, secretKey } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())
beforeEach(async () => {
  await emulator.control('DELETE', '/faults')
  await emulator.control('DELETE', '/requests')
})

const request = z.object({
  idempotency_key: z.string().nullable(),
  status: z.number().nullable(),
  replayed: z.boolean(),
})
const logged = z.object({ requests: z.array(request) })
const requests = async () => logged.parse(await emulator.control('GET', '/requests')).requests
const fault = (terms: object) => emulator.control('POST', '/faults', terms)
const createCustomer = (key: string, description = 'one') =>
  stripe.customers.create({ description }, { idempotencyKey: key })
const countOf = async (description: string) => {
  const all = await stripe.customers.list({ limit: 100 })
  return all.data.filter((customer) => customer.description === description).length
}

describe('Idempotency-Key', () => {
  it('replays the first answer with Idempotent-Replayed, and logs it as replayed', async () => {
    const first = await createCustomer('k-replay')
    const second = await createCustomer('k-replay')
    expect(second.id).toBe(first.id)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    const shown = (await requests()).map(({ status, replayed, idempotency_key }) => [status, replayed, idempotency_key])
    expect(shown).toEqual([
      [200, false, 'k-replay'],
      [200, true, 'k-replay'],
    ])
  })

  it('names the first request in Original-Request', async () => {
    const first = await createCustomer('k-origin')
    const second = await createCustomer('k-origin')
    expect(first.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
    expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
    expect(second.lastResponse.requestId).not.toBe(first.lastResponse.requestId)
  })

  it('takes the same parameters in another encoding for the same', async () => {
    const post = async (body: string) => {
      const headers = { authorization: `Bearer ${secretKey}`, 'idempotency-key': 'k-encoding' }
      const response = await fetch(`${emulator.apiBase}/v1/customers`, { method: 'POST', headers, body })
      return response.status
    }
    expect(await post('description=a%20b&metadata[k]=v')).toBe(200)
    expect(await post('description=a+b&metadata%5Bk%5D=v')).toBe(200)
    expect(await post('description=a+c&metadata%5Bk%5D=v')).toBe(400)
  })

  it('has no effect on GET and DELETE', async () => {
    const { id } = await createCustomer('k-first')
    const read = () => stripe.customers.retrieve(id, {}, { idempotencyKey: 'k-verbs' })
    expect((await read()).id).toBe(id)
    expect(await stripe.customers.del(id, {}, { idempotencyKey: 'k-verbs' })).toMatchObject({ deleted: true })
    expect(await read()).toMatchObject({ deleted: true })
    expect((await createCustomer('k-verbs')).lastResponse.headers['idempotent-replayed']).toBeUndefined()
  })

  it('saves no refusal of what does not exist, and no 501', async () => {
    const pay = () => refusal(stripe.invoices.pay('in_unknown', {}, { idempotencyKey: 'k-404' }))
    expect(await pay()).toMatchObject({ statusCode: 404 })
    expect((await pay()).headers?.['idempotent-replayed']).toBeUndefined()
    const params = { balance: 5, description: 'uncovered' }
    const uncovered = refusal(stripe.customers.create(params, { idempotencyKey: 'k-501' }))
    expect(await uncovered).toMatchObject({ statusCode: 501, message: expect.stringContaining('balance') })
    expect((await createCustomer('k-501')).object).toBe('customer')
  })

  it.each([
    ['price', { items: [{ price: 'price_gone' }] }],
    ['coupon', { discounts: [{ coupon: 'GONE' }] }],
    ['payment method', { default_payment_method: 'pm_gone' }],
  ])('executes anew after a 400 for a %s that does not exist', async (what, missing) => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const { ota } = emulator
    const idempotencyKey = `k-missing-${what}`
    const params = { customer, items: [{ price: ota }] }
    const first = refusal(stripe.subscriptions.create({ ...params, ...missing }, { idempotencyKey }))
    expect(await first).toMatchObject({ statusCode: 400, code: 'resource_missing' })
    const { status, lastResponse } = await stripe.subscriptions.create(params, { idempotencyKey })
    expect([status, lastResponse.headers['idempotent-replayed']]).toEqual(['active', undefined])
  })

  it('answers 400 idempotency_error for other parameters and for another endpoint', async () => {
    await createCustomer('k-other')
    await expectRefusal(createCustomer('k-other', 'two'), { statusCode: 400, type: 'StripeIdempotencyError' })
    const elsewhere = stripe.products.create({ name: 'one' }, { idempotencyKey: 'k-other' })
    await expectRefusal(elsewhere, { statusCode: 400, rawType: 'idempotency_error' })
  })

  it('saves a 402, but not a parameter that failed validation', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_chargeCustomerFail')
    const params = { customer, items: [{ price: emulator.ota }], payment_behavior: 'error_if_incomplete' as const }
    const buy = () => refusal(stripe.subscriptions.create(params, { idempotencyKey: 'k-402' }))
    expect((await buy()).headers?.['idempotent-replayed']).toBeUndefined()
    expect(await buy()).toMatchObject({ statusCode: 402, headers: { 'idempotent-replayed': 'true' } })
    const bad = { description: 'validated', colour: 'red' }
    await expectRefusal(stripe.customers.create(bad, { idempotencyKey: 'k-bad' }), { code: 'parameter_unknown' })
    expect((await createCustomer('k-bad')).description).toBe('one')
  })

  it('answers 409 idempotency_key_in_use while a delayed request runs, then replays', async () => {
    await fault({ method: 'POST', path: '/v1/customers', kind: 'delay', delay_ms: 80 })
    const slow = createCustomer('k-busy', 'slow')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await expectRefusal(createCustomer('k-busy', 'slow'), { statusCode: 409, code: 'idempotency_key_in_use' })
    const { id } = await slow
    expect((await createCustomer('k-busy', 'slow')).id).toBe(id)
  })

  it('is forgotten 24 h after its first use', async () => {
    const first = await createCustomer('k-day')
    await emulator.advance(86_399)
    expect((await createCustomer('k-day')).id).toBe(first.id)
    await emulator.advance(3)
    expect((await createCustomer('k-day')).id).not.toBe(first.id)
  })

  it('is refused above 255 characters', async () => {
    await expectRefusal(createCustomer('k'.repeat(256)), { statusCode: 400 })
    expect((await createCustomer('k'.repeat(255))).object).toBe('customer')
  })

  it('lets one of 50 parallel requests do the work', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => createCustomer('k-crowd', 'crowd')))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await countOf('crowd')).toBe(1)
  })
})

describe('POST /_emulator/faults', () => {
  it('answers before the key layer with status: the same key works afterwards', async () => {
    await fault({ method: 'POST', path: '/v1/customers', kind: 'status', status: 429 })
    await expectRefusal(createCustomer('f-429'), { statusCode: 429, type: 'StripeRateLimitError' })
    expect((await createCustomer('f-429')).lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect((await requests()).map(({ status }) => status)).toEqual([429, 200])
  })

  it('saves the answer under the key and does no work with status and saved', async () => {
    await fault({ method: 'POST', path: '/v1/*', kind: 'status', status: 500, saved: true })
    await expectRefusal(createCustomer('f-saved', 'saved'), { statusCode: 500, type: 'StripeAPIError' })
    const refused = createCustomer('f-saved', 'saved')
    await expectRefusal(refused, { statusCode: 500, headers: { 'idempotent-replayed': 'true' } })
    expect(await countOf('saved')).toBe(0)
  })

  it('saves the answer and does the work with status, saved and effect', async () => {
    await fault({ method: 'POST', path: '/v1/customers', kind: 'status', status: 500, saved: true, effect: true })
    await refusal(createCustomer('f-effect', 'effect'))
    await expectRefusal(createCustomer('f-effect', 'effect'), { statusCode: 500 })
    expect(await countOf('effect')).toBe(1)
  })

  it('does the work, loses the answer, and replays the real one with status and effect', async () => {
    await fault({ method: 'POST', path: '/v1/customers', kind: 'status', status: 502, effect: true })
    await expectRefusal(createCustomer('f-real', 'real'), { statusCode: 502 })
    expect((await createCustomer('f-real', 'real')).lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(await countOf('real')).toBe(1)
  })

  it('does nothing with drop_before, and does the work and loses the answer with drop_after', async () => {
    await fault({ method: 'POST', path: '/v1/customers', kind: 'drop_before', times: 2 })
    // The SDK itself sends once more when the connection is reset, even with no retries.
    await expectRefusal(createCustomer('f-drop', 'dropped'), { type: 'StripeConnectionError' })
    expect(await countOf('dropped')).toBe(0)
    await fault({ method: 'POST', path: '/v1/customers', kind: 'drop_after', times: 2 })
    await expectRefusal(createCustomer('f-drop', 'dropped'), { type: 'StripeConnectionError' })
    expect(await countOf('dropped')).toBe(1)
    expect((await createCustomer('f-drop', 'dropped')).lastResponse.headers['idempotent-replayed']).toBe('true')
  })

  it('answers with a given body, as often as ordered', async () => {
    await fault({
      method: 'GET',
      path: '/v1/prices',
      kind: 'status',
      status: 503,
      times: 2,
      body: { error: { type: 'api_error', message: 'unavailable' } },
    })
    for (const expected of ['unavailable', 'unavailable']) {
      await expectRefusal(stripe.prices.list(), { statusCode: 503, message: expected })
    }
    expect((await stripe.prices.list()).data).toHaveLength(2)
  })

  it('refuses an ill-formed fault', async () => {
    const found = await fault({ method: 'POST', path: '/v1/customers', kind: 'explode' })
    expect(found).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})

describe('Every answer', () => {
  it('carries request-id, stripe-version and the date of the emulator', async () => {
    await emulator.advance(400 * 86_400)
    const { lastResponse } = await stripe.prices.list()
    expect(lastResponse.requestId).toMatch(/^req_\w{14}$/)
    expect(lastResponse.headers['stripe-version']).toBe('2026-10-28.endive')
    expect(Date.parse(lastResponse.headers.date ?? '')).toBeGreaterThan(Date.now() + 399 * 86_400_000)
  })

  it('is 401 without the secret key, and 501 naming what is not covered', async () => {
    const get = (path: string, key: string) => fetch(`${emulator.apiBase}${path}`, { headers: { authorization: key } })
    expect((await get('/v1/prices', '')).status).toBe(401)
    expect((await get('/v1/prices', 'Bearer sk_test_wrong')).status).toBe(401)
    expect((await get('/v1/prices', `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`)).status).toBe(200)
    const answer = await get('/v1/quotes', `Bearer ${secretKey}`)
    expect(answer.status).toBe(501)
    expect(await answer.text()).toMatch('GET /v1/quotes')
  })
})
