/** @over-the-wire */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { publishedVersions } from '../../wire/apiVersions.ts'
import { findRoute, routes } from '../../wire/routes.ts'
import { openEmulator, secretKey } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
afterAll(() => emulator.close())

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(`${emulator.apiBase}${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, ...headers },
    ...(body !== undefined && { body }),
  })
  const { error }: { error?: Record<string, unknown> } = JSON.parse(await response.text())
  const { headers: answered } = response
  return {
    status: response.status,
    requestId: answered.get('request-id'),
    retry: answered.get('stripe-should-retry'),
    error,
  }
}

describe('An error', () => {
  it('links to its code and to the log of its request', async () => {
    const { status, error, requestId } = await send('GET', '/v1/customers/cus_none')
    expect(status).toBe(404)
    expect(error).toMatchObject({
      code: 'resource_missing',
      doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
      request_log_url: expect.stringContaining(`https://dashboard.stripe.com/test/logs/${requestId}?t=`),
    })
  })

  it('links to every code, a validation error too, and to none where it has none', async () => {
    expect((await send('POST', '/v1/customers', {}, 'colour=red')).error).toMatchObject({
      doc_url: 'https://stripe.com/docs/error-codes/parameter-unknown',
    })
    const paid = await emulator.buy()
    const id = typeof paid.latest_invoice === 'object' ? paid.latest_invoice?.id : ''
    const { error } = await send('POST', `/v1/invoices/${id}/pay`)
    expect(error).toMatchObject({ message: 'Invoice is already paid', request_log_url: expect.any(String) })
    expect(error).not.toHaveProperty('doc_url')
  })

  it('names no log where the key is wrong', async () => {
    const { status, error } = await send('GET', '/v1/prices', { authorization: 'Bearer sk_test_wrong' })
    expect([status, error]).toEqual([401, expect.not.objectContaining({ request_log_url: expect.anything() })])
  })
})

describe('Stripe-Version', () => {
  it.each(['2019-2-19', '2025-09-30.acacia', '2026-10-28.endive, 2026-10-28.endive', 'latest'])(
    'is 400 where no such version exists: %s',
    async (version) => {
      const { status, error } = await send('GET', '/v1/prices', { 'stripe-version': version })
      const shown = [status, error?.type, error?.message]
      expect(shown).toEqual([400, 'invalid_request_error', `Invalid Stripe API version: ${version}`])
    },
  )

  it('is 501 for another release, and fine for any version of this one or for none', async () => {
    const status = async (headers: Record<string, string>) => (await send('GET', '/v1/prices', headers)).status
    expect(await status({ 'stripe-version': '2025-03-31.basil' })).toBe(501)
    expect(await status({ 'stripe-version': '2024-06-20' })).toBe(501)
    expect(await status({ 'stripe-version': '2026-09-30.endive' })).toBe(200)
    expect(await status({})).toBe(200)
  })

  it('names the way out of a 501, which no SDK repeats', async () => {
    const { error, retry } = await send('GET', '/v1/prices', { 'stripe-version': '2025-03-31.basil' })
    expect(error).toMatchObject({ code: 'unsupported_version', param: 'Stripe-Version' })
    expect(error?.message).toContain('--api-version')
    expect(retry).toBe('false')
  })

  it.each(['2027-01-31.fable', '2026-10-28.preview'])(
    'is 501 for what may be newer than the emulator: %s',
    async (version) => {
      const { status, error } = await send('GET', '/v1/prices', { 'stripe-version': version })
      expect([status, error?.code]).toEqual([501, 'unsupported_version'])
    },
  )

  it('is known for every version that the SDK names', () => {
    const types = readFileSync('node_modules/stripe/esm/resources/WebhookEndpoints.d.ts', 'utf8')
    const named = /type ApiVersion = ([^;]+);/.exec(types)?.[1] ?? ''
    expect(publishedVersions).toEqual(named.split('|').map((version) => version.trim().slice(1, -1)))
  })
})

describe('A path', () => {
  it.each([
    ['GET', '/v1/nothing'],
    ['PUT', '/v1/customers'],
    ['DELETE', '/v1/prices'],
    ['GET', '/v1/customers/'],
    ['GET', '/v1/customers/cus_1/nothing'],
    ['GET', '/v3/customers'],
  ])('is 404 where Stripe has none: %s %s', async (method, path) => {
    const { status, error } = await send(method, path)
    expect([status, error?.type]).toEqual([404, 'invalid_request_error'])
    expect(error?.message).toContain(`Unrecognized request URL (${method}: ${path}).`)
  })

  it.each([
    ['GET', '/v1/quotes'],
    ['GET', '/v1/credit_notes/preview'],
    ['GET', '/v1/credit_notes/preview/lines'],
    ['POST', '/v1/invoices/in_1/update_lines'],
    ['GET', '/v1/customers/cus_1/cash_balance'],
    ['GET', '/v1/customers/cus_1/cards/card_1'],
    ['POST', '/v1/billing/meters'],
  ])('is 501 where Stripe has one and the emulator does not: %s %s', async (method, path) => {
    const { status, error, retry } = await send(method, path)
    expect([status, error?.code, retry]).toEqual([501, 'unsupported_operation', 'false'])
    expect(error?.message).toContain('script the answer by POST /_emulator/faults')
  })

  it('of every endpoint is found, and of every operation of the SDK is known', () => {
    for (const route of routes) expect(findRoute(route.method, route.path.replaceAll(/:\w+/g, 'x_1')).route).toBe(route)
    const folder = 'node_modules/stripe/esm/resources'
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    const calls = files.flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/_makeRequest\('([A-Z]+)',\s*['`](\/v[12]\/[^'`]+)['`]/g),
    ])
    expect(calls.length).toBeGreaterThan(500)
    const unknown = calls.filter(([, method = '', path = '']) => {
      try {
        findRoute(method, path.replaceAll(/\$\{[^}]*\}/g, 'x_1'))
        return false
      } catch (error) {
        return !(error instanceof Error && error.message.startsWith('Not covered'))
      }
    })
    expect(unknown.map(([call]) => call)).toEqual([])
  })
})

describe('The text of a refusal', () => {
  it('names both endpoints where a key is used on another one', async () => {
    const { stripe } = emulator
    await stripe.customers.create({}, { idempotencyKey: 'elsewhere' })
    const error = await refusal(stripe.products.create({ name: 'A' }, { idempotencyKey: 'elsewhere' }))
    expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
    expect(error.message).toBe(
      "Keys for idempotent requests can only be used for the same endpoint they were first used for ('/v1/products' vs '/v1/customers'). " +
        "Try using a key other than 'elsewhere' if you meant to execute a different request.",
    )
  })

  it('names the kind of object that a cursor is none of', async () => {
    const { stripe } = emulator
    await expectRefusal(stripe.subscriptions.list({ starting_after: 'sub_none' }), {
      statusCode: 400,
      code: 'resource_missing',
      param: 'starting_after',
      message: "No such subscription: 'sub_none'",
    })
    const refused = stripe.paymentIntents.list({ ending_before: 'pi_none' })
    await expectRefusal(refused, { param: 'ending_before', message: "No such payment_intent: 'pi_none'" })
  })
})
