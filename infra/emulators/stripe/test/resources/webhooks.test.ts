import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import * as z from 'zod'
import { eachTest } from '../support/eachTest.ts'
import { openEmulator } from '../support/openEmulator.ts'
import { openReceiver } from '../support/openReceiver.ts'
import { expectRefusal } from '../support/refusal.ts'

const flushed = z.object({
  delivered: z.array(z.object({ id: z.string(), type: z.string(), status: z.number().nullable() })),
})

const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe
let receiver: Awaited<ReturnType<typeof openReceiver>>
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const flush = async (how: object) => flushed.parse(await emulator().control('POST', '/webhooks/flush', how)).delivered
const typesReceived = () =>
  receiver.received.map(({ body }) => z.object({ type: z.string() }).parse(JSON.parse(body)).type)

describe('A webhook endpoint', () => {
  it('receives wanted events, signed with both secrets while they rotate, at the time of the emulator', async () => {
    const terms = {
      url: receiver.url,
      secret: 'whsec_new',
      previousSecret: 'whsec_old',
      enabledEvents: ['customer.created'],
    }
    expect(emulator().core.registerWebhookEndpoint(terms)).toBe(emulator().core.registerWebhookEndpoint(terms))
    await emulator().advance(86_400)
    await stripe().customers.create({ name: 'A' })
    await flush({})
    expect(typesReceived()).toEqual(['customer.created'])
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received
    const at = emulator().core.now()
    for (const secret of ['whsec_new', 'whsec_old']) {
      const event = Stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, at)
      expect([event.api_version, event.type]).toEqual(['2026-10-28.endive', 'customer.created'])
      expect(event.request).toMatchObject({ id: expect.stringMatching(/^req_/) })
    }
    expect(Number(/t=(\d+)/.exec(signature)?.[1])).toBeGreaterThanOrEqual(at - 1)
  })

  it('gets a new secret by a roll; the old one signs too until it expires', async () => {
    const { id, secret: old } = await stripe().webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['*'],
    })
    const rolled = z
      .object({ secret: z.string(), expires_at: z.number() })
      .parse(await emulator().control('POST', '/webhooks/roll', { id, expires_in_seconds: 3600 }))
    expect(rolled.expires_at - emulator().core.now()).toBeLessThanOrEqual(3600)
    const signers = async () => {
      await stripe().customers.create()
      await until(() => receiver.received.length > 0)
      const { body = '', signature = '' } = receiver.received.pop() ?? {}
      return [rolled.secret, old ?? ''].map((secret) => {
        try {
          return Stripe.webhooks.constructEvent(body, signature, secret, 0).type
        } catch {
          return 'refused'
        }
      })
    }
    expect(await signers()).toEqual(['customer.created', 'customer.created'])
    await emulator().advance(3601)
    expect(await signers()).toEqual(['customer.created', 'refused'])
    const found = await emulator().control('POST', '/webhooks/roll', { id: 'we_unknown' })
    expect(found).toMatchObject({ error: { code: 'resource_missing' } })
  })

  it('receives events in its own API version, of the same release; another is not covered', async () => {
    const terms = { url: receiver.url, enabled_events: ['customer.created' as const] }
    const { webhookEndpoints } = stripe()
    const other = { ...terms, api_version: '2026-09-30.endive' }
    const create = (params: object) => webhookEndpoints.create({ ...terms, ...params })
    expect((await create(other)).api_version).toBe('2026-09-30.endive')
    await stripe().customers.create()
    await until(() => receiver.received.length === 1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ api_version: '2026-09-30.endive' })
    expect((await stripe().events.list({ limit: 1 })).data[0]?.api_version).toBe('2026-10-28.endive')
    await expectRefusal(create({ api_version: '2025-03-31.basil' }), { statusCode: 501 })
  })

  it('gets its secret once, at creation, and can be changed and deleted', async () => {
    const { webhookEndpoints } = stripe()
    const created = await webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] })
    expect(created.secret).toMatch(/^whsec_\w{32}$/)
    expect((await webhookEndpoints.retrieve(created.id)).secret).toBeUndefined()
    expect((await webhookEndpoints.update(created.id, { disabled: true })).status).toBe('disabled')
    expect(await webhookEndpoints.del(created.id)).toMatchObject({ deleted: true })
    expect((await webhookEndpoints.list()).data).toEqual([])
  })

  it('is sent a refused event again after a growing delay, with a fresh signature', async () => {
    const wanted = { url: receiver.url, secret: 'whsec_a', enabledEvents: ['customer.created'] }
    emulator().core.registerWebhookEndpoint(wanted)
    receiver.answer.status = 500
    await stripe().customers.create()
    await until(() => receiver.received.length === 1)
    receiver.answer.status = 200
    await emulator().advance(30)
    await emulator().advance(31)
    await until(() => receiver.received.length === 2)
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body)
    expect(receiver.received[0]?.signature).not.toBe(receiver.received[1]?.signature)
    await emulator().advance(86_400)
    expect(await flush({})).toEqual([])
  })
})

describe('POST /v1/events/:id/retry, as stripe events resend calls it', () => {
  const resend = (id: string, params: object) => stripe().rawRequest('POST', `/v1/events/${id}/retry`, params)
  const newestEvent = async () => (await stripe().events.list({ limit: 1 })).data[0]?.id ?? ''

  it('sends an event again to each endpoint that wants it, or to the endpoint that is named', async () => {
    const { core } = emulator()
    core.registerWebhookEndpoint({ url: receiver.url, secret: 'whsec_a', enabledEvents: ['customer.created'] })
    const other = await stripe().webhookEndpoints.create({
      url: 'http://127.0.0.1:9/',
      enabled_events: ['price.created'],
    })
    core.setWebhookMode('hold')
    await stripe().customers.create()
    const id = await newestEvent()
    for (const { delivery } of core.pendingWebhooks(true)) core.recordWebhookAttempt(delivery, 200)
    expect(await resend(id, { for_stripecli: true })).toMatchObject({ id, object: 'event', pending_webhooks: 1 })
    expect(core.pendingWebhooks().map(({ event, url }) => [event, url])).toEqual([[id, receiver.url]])
    await resend(id, { webhook_endpoint: other.id })
    expect(core.pendingWebhooks().map(({ url }) => url)).toEqual([receiver.url, 'http://127.0.0.1:9/'])
    await expectRefusal(resend('evt_unknown', {}), { statusCode: 404 })
    await expectRefusal(resend(id, { webhook_endpoint: 'we_x' }), { param: 'webhook_endpoint' })
    await expectRefusal(resend(id, { account: 'acct_1' }), { statusCode: 501 })
  })

  it('makes an event delivered that its endpoint had refused', async () => {
    const { core } = emulator()
    core.registerWebhookEndpoint({ url: receiver.url, secret: 'whsec_a', enabledEvents: ['customer.created'] })
    core.setWebhookMode('hold')
    await stripe().customers.create()
    const refused = core.pendingWebhooks(true).map(({ delivery }) => delivery)
    for (const delivery of refused) core.recordWebhookAttempt(delivery, 500)
    await resend(await newestEvent(), {})
    const again = core.pendingWebhooks(true).filter(({ delivery }) => !refused.includes(delivery))
    for (const { delivery } of again) core.recordWebhookAttempt(delivery, 200)
    expect((await stripe().events.list({ delivery_success: false })).data).toEqual([])
  })
})

describe('GET /v1/events?delivery_success=false', () => {
  const undelivered = async () => {
    const { data } = await stripe().events.list({ delivery_success: false })
    return data.map(({ type }) => type)
  }

  it('lists events that are still retried and those whose last attempt failed, not acknowledged ones', async () => {
    const { core } = emulator()
    core.registerWebhookEndpoint({ url: receiver.url, secret: 'whsec_a', enabledEvents: ['customer.created'] })
    core.setWebhookMode('hold')
    await stripe().customers.create()
    expect(await undelivered()).toEqual(['customer.created'])
    for (let attempt = 0; attempt < 12; attempt += 1) {
      for (const { delivery } of core.pendingWebhooks(true)) core.recordWebhookAttempt(delivery, 500)
    }
    expect(core.pendingWebhooks(true)).toEqual([])
    expect(await undelivered()).toEqual(['customer.created'])
    await stripe().customers.create()
    for (const { delivery } of core.pendingWebhooks(true)) core.recordWebhookAttempt(delivery, 200)
    expect(await undelivered()).toHaveLength(1)
  })
})

describe('POST /_emulator/webhooks', () => {
  beforeEach(async () => {
    const terms = { url: receiver.url, secret: 'whsec_a', enabledEvents: ['product.created', 'price.created'] }
    emulator().core.registerWebhookEndpoint(terms)
    await emulator().control('POST', '/webhooks', { mode: 'hold' })
    const { id: product } = await stripe().products.create({ name: 'P' })
    await stripe().prices.create({ product, unit_amount: 1, currency: 'usd' })
  })

  it('holds events until they are flushed, oldest first', async () => {
    expect(receiver.received).toEqual([])
    const shown = (await flush({ order: 'fifo' })).map(({ type, status }) => [type, status])
    expect(shown).toEqual([
      ['product.created', 200],
      ['price.created', 200],
    ])
    expect(typesReceived()).toEqual(['product.created', 'price.created'])
  })

  it('flushes newest first, several copies of each', async () => {
    await flush({ order: 'lifo', copies: 2 })
    expect(typesReceived()).toEqual(['price.created', 'price.created', 'product.created', 'product.created'])
  })

  it('reports an endpoint that refuses or is unreachable, and keeps the event', async () => {
    receiver.answer.status = 503
    expect((await flush({})).map(({ status }) => status)).toEqual([503, 503])
    await receiver.close()
    expect((await flush({})).map(({ status }) => status)).toEqual([null, null])
  })

  it('delivers what was held when set to deliver', async () => {
    await emulator().control('POST', '/webhooks', { mode: 'deliver' })
    await until(() => receiver.received.length === 2)
    expect(typesReceived().sort()).toEqual(['price.created', 'product.created'])
  })
})

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 200) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
