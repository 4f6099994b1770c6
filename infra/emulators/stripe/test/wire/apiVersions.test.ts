/** @over-the-wire */
import { afterAll, describe, expect, it } from '@jest/globals'
import Stripe from 'stripe'
import { openEmulator, secretKey } from '../support/openEmulator.ts'

const warnings: string[] = []
const emulator = await openEmulator({
  settings: { apiVersions: ['2025-03-31.basil'] },
  warn: (message) => warnings.push(message),
})
afterAll(() => emulator.close())

const accept = (...versions: string[]) => emulator.control('POST', '/settings', { api_versions: versions })

async function readAs(version: string): Promise<{ status: number; code: string | undefined }> {
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': version }
  const response = await fetch(`${emulator.apiBase}/v1/prices`, { headers })
  const { error }: { error?: { code?: string } } = JSON.parse(await response.text())
  return { status: response.status, code: error?.code }
}

describe('A version of another release', () => {
  it('is answered if it was accepted, with one warning in the log and on the page', async () => {
    expect((await readAs('2025-03-31.basil')).status).toBe(200)
    expect((await readAs('2025-03-31.basil')).status).toBe(200)
    expect(warnings).toEqual([expect.stringContaining('Version 2025-03-31.basil is answered in the shapes of 2026-')])
    expect(await emulator.control('GET', '/state')).toMatchObject({
      foreign_versions: [{ id: '2025-03-31.basil', message: warnings[0] }],
    })
    expect(await readAs('2025-04-30.basil')).toEqual({ status: 501, code: 'unsupported_version' })
  })

  it('is accepted by any if it is well-formed, though it was never published', async () => {
    await accept('any')
    expect((await readAs('2024-06-20')).status).toBe(200)
    expect((await readAs('2031-02-03.zinnia')).status).toBe(200)
    expect((await readAs('2026-13-01.endive')).status).toBe(400)
    expect((await readAs('latest')).status).toBe(400)
    expect(warnings).toHaveLength(3)
  })

  it('is the version of an endpoint’s events on the same terms', async () => {
    await accept()
    const create = (version: Stripe.WebhookEndpointCreateParams.ApiVersion) =>
      emulator.stripe.webhookEndpoints.create({
        url: 'http://127.0.0.1:9/',
        enabled_events: ['product.created'],
        api_version: version,
      })
    await expect(create('2024-04-10')).rejects.toMatchObject({ code: 'unsupported_version', param: 'api_version' })
    await accept('2024-04-10')
    expect(await create('2024-04-10')).toMatchObject({ api_version: '2024-04-10' })
    await emulator.control('POST', '/webhooks', { mode: 'hold' })
    await emulator.stripe.products.create({ name: 'Mug' })
    const [webhook] = emulator.core.pendingWebhooks(true)
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ api_version: '2024-04-10' })
  })

  it('may still name the types of payment methods, which endive has removed', async () => {
    await accept('any')
    const older = (apiVersion: Stripe.RequestOptions['apiVersion']) => {
      const terms = { amount: 900, currency: 'usd', payment_method_types: ['card'] }
      return emulator.stripe.paymentIntents.create(terms, { ...(apiVersion && { apiVersion }) })
    }
    const taken = await older('2026-08-26.dahlia')
    expect(taken).toMatchObject({ allowed_payment_method_types: ['card'], payment_method_types: ['card'] })
    const refused = { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' }
    await expect(older(undefined)).rejects.toMatchObject(refused)
    await expect(older('2026-09-30.endive')).rejects.toMatchObject(refused)
  })

  it('is refused as a setting unless it is a version', async () => {
    expect(await emulator.control('POST', '/settings', { api_versions: ['newest'] })).toMatchObject({
      error: { message: expect.stringContaining('2024-06-20') },
    })
  })
})

describe('The emulator’s own 501', () => {
  it('is not repeated by an SDK, unlike a scripted 501', async () => {
    const { hostname: host, port } = new URL(emulator.apiBase)
    const eager = new Stripe(secretKey, { protocol: 'http', host, port, telemetry: false, maxNetworkRetries: 1 })
    const count = (path: string) => {
      const { length } = emulator.core.control.requests().filter((request) => request.path === path)
      return length
    }
    await expect(eager.quotes.list()).rejects.toMatchObject({ statusCode: 501, code: 'unsupported_operation' })
    expect(count('/v1/quotes')).toBe(1)
    await emulator.control('POST', '/faults', { method: 'GET', path: '/v1/topups', kind: 'status', status: 501 })
    await expect(eager.topups.list()).rejects.toMatchObject({ code: 'unsupported_operation' })
    expect(count('/v1/topups')).toBe(2)
  })

  it('is an answer that a fault can script', async () => {
    const body = { object: 'list', data: [], has_more: false, url: '/v1/quotes' }
    await emulator.control('POST', '/faults', { method: 'GET', path: '/v1/quotes', kind: 'status', status: 200, body })
    expect((await emulator.stripe.quotes.list()).data).toEqual([])
  })
})
