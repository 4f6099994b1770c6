import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { openEmulator } from '../support/openEmulator.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())
beforeEach(() => emulator.control('POST', '/reset'))

const plan = (terms: object) => emulator.control('POST', '/faults', terms)
const planted = z.object({
  plan: z.object({ planted: z.array(z.object({ endpoint: z.string(), call: z.number(), kind: z.string() })) }),
})
const report = async () => planted.parse(await emulator.control('GET', '/faults')).plan.planted

/** Creates customers. Returns the status of each request, '0' for a connection cut. */
async function work(count: number): Promise<string[]> {
  const outcomes: string[] = []
  for (let n = 0; n < count; n += 1) {
    const made = await stripe.customers.create({ description: `${n}` }).then(
      () => 'created',
      (error: unknown) => String(z.object({ statusCode: z.number().default(0) }).parse(error).statusCode),
    )
    outcomes.push(made)
  }
  return outcomes
}

describe('POST /_emulator/faults with a seed', () => {
  it('plants the same faults at the same calls for the same seed, and others for another', async () => {
    const run = async (seed: number) => {
      await emulator.control('POST', '/reset')
      await plan({ seed, rate: 0.5, delay_ms: 1 })
      const outcomes = await work(16)
      return { outcomes, planted: await report() }
    }
    const first = await run(3)
    expect(first.planted.length).toBeGreaterThan(4)
    expect(new Set(first.planted.map(({ kind }) => kind)).size).toBeGreaterThan(2)
    expect(await run(3)).toEqual(first)
    expect((await run(4)).planted).not.toEqual(first.planted)
  })

  it('decides by endpoint and count, independent of other calls in between', async () => {
    const terms = { seed: 5, rate: 0.5, kinds: ['rate_limit'], method: 'POST' }
    await plan(terms)
    const alone = await work(12)
    await emulator.control('POST', '/reset')
    await plan(terms)
    const mixed: string[] = []
    for (let n = 0; n < 12; n += 1) {
      await stripe.prices.list()
      await stripe.products.create({ name: 'other' }).catch(() => undefined)
      mixed.push(...(await work(1)))
    }
    expect(mixed).toEqual(alone)
  })

  it('plants only the kinds asked for, only where asked, and no more than `times`', async () => {
    await plan({ seed: 1, rate: 1, kinds: ['saved_500_effect'], path: '/v1/customers', times: 2 })
    expect(await work(4)).toEqual(['500', '500', 'created', 'created'])
    expect((await stripe.customers.list()).data).toHaveLength(4)
    expect(await report()).toEqual(
      [1, 2].map((call) => ({ endpoint: 'POST /v1/customers', call, kind: 'saved_500_effect' })),
    )
  })

  it('applies scripted faults first, and is removed when faults are cleared', async () => {
    await plan({ seed: 1, rate: 1, kinds: ['rate_limit'] })
    await emulator.control('POST', '/faults', { method: 'POST', path: '/v1/customers', kind: 'status', status: 503 })
    expect(await work(2)).toEqual(['503', '429'])
    await emulator.control('DELETE', '/faults')
    expect(await work(1)).toEqual(['created'])
    expect(await emulator.control('GET', '/faults')).toEqual({ faults: [], plan: null })
  })

  it('is refused with a rate above 1 or an unknown kind', async () => {
    for (const terms of [
      { seed: 1, rate: 2 },
      { seed: 1, rate: 1, kinds: ['explode'] },
    ]) {
      expect(await plan(terms)).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
  })
})

describe('POST /_emulator/settings with rate_limit', () => {
  it('answers 429 rate_limit above so many requests a second of the clock, before the key layer', async () => {
    const { now } = z.object({ now: z.number() }).parse(await emulator.control('GET', '/clock'))
    const frozen = await openEmulator({ now: () => now })
    try {
      await frozen.control('POST', '/settings', { rate_limit: { global: 3, endpoint: 2 } })
      // Opening the emulator lists prices within the same second, before the limit was set.
      await frozen.advance(1)
      const create = (key: string) =>
        frozen.stripe.customers.create({}, { idempotencyKey: key }).catch((error) => error)
      const answers = [await create('a'), await create('b'), await create('c')]
      expect(answers[2]).toMatchObject({ statusCode: 429, code: 'rate_limit', type: 'StripeRateLimitError' })
      expect(answers[2].headers).toMatchObject({ 'stripe-rate-limited-reason': 'endpoint-rate' })
      await frozen.stripe.prices.list()
      const all = await frozen.stripe.prices.list().catch((error) => error)
      expect(all.headers).toMatchObject({ 'stripe-rate-limited-reason': 'global-rate' })
      await frozen.advance(1)
      expect((await create('c')).lastResponse.headers['idempotent-replayed']).toBeUndefined()
    } finally {
      await frozen.close()
    }
  })
})

describe('Closing the server', () => {
  it('cancels delayed answers at once', async () => {
    const other = await openEmulator()
    await other.control('POST', '/faults', { method: 'GET', path: '/v1/prices', kind: 'delay', delay_ms: 60_000 })
    const waiting = other.stripe.prices.list().then(
      () => 'answered',
      () => 'cut',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    const started = Date.now()
    await other.close()
    expect(await waiting).toBe('cut')
    expect(Date.now() - started).toBeLessThan(2000)
  })
})
