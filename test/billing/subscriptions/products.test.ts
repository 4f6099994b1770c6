import { describe, expect, it } from '@jest/globals'
import { catalogProducts } from '../../../infra/data/catalog.ts'
import { currency } from '../../../infra/data/products.ts'
import { listProducts } from '../../../lib/billing/subscriptions/listProducts.ts'
import { READ_BUDGET } from '../../../lib/billing/timing.ts'
import { errorBody } from '../../support/errorBody.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { caller, noon, ok } from '../fixtures.ts'
import { replacePrice, whileArchived } from '../listPrices.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

const path = '/api/billing/products'
/** Longer than a price list is kept. */
const aWhile = 301

const onSale = catalogProducts.map(({ product, planCode, name, unitAmount }) => {
  const price = { amount: unitAmount, currency, interval: 'month', interval_count: 1 }
  return { product, plan_code: planCode, name, description: null, price }
})

describe('GET /api/billing/products', () => {
  it('lists what is on sale to any signed-in user, in the order of the catalog, and asks the gateway once in five minutes', async () => {
    const { stack } = bed
    const token = await stack.token('stranger')
    const id = catalogProducts[1]?.id ?? ''
    await stack.stripe.products.update(id, { description: 'Watches over it' })
    const described = onSale.map((row, index) => (index === 1 ? { ...row, description: 'Watches over it' } : row))
    await stack.emulator.clearRequests()
    for (const _ of [1, 2]) {
      expect(await stack.client.send({ method: 'GET', path, token })).toEqual({
        status: 200,
        body: { products: described, next_cursor: null },
      })
    }
    expect((await stack.emulator.requests()).map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/prices'])
    await stack.stripe.products.update(id, { description: '' })
    expect((await stack.client.send({ method: 'GET', path })).status).toBe(401)
  })

  it('leaves a product out that has no active price, and answers a yearly price', async () => {
    const { stack } = bed
    const recurring = { interval: 'year', interval_count: 2 } as const
    const terms = { currency: 'eur', unit_amount: 19_900, recurring }
    const putBack = await replacePrice(stack, 'addon_monitoring', terms)
    await whileArchived(stack, 'base_ota', async () => {
      await stack.emulator.advance(aWhile)
      const { body } = await stack.client.send({ method: 'GET', path, token: await stack.token() })
      const price = { amount: 19_900, currency: 'eur', ...recurring }
      expect(body).toEqual({ products: [{ ...onSale[1], price }, ...onSale.slice(2)], next_cursor: null })
    })
    await putBack()
  })

  it('answers 503 with Retry-After while the gateway is unavailable and the list is older than five minutes', async () => {
    const { stack } = bed
    const token = await stack.token()
    const send = () => stack.wire({ method: 'GET', path, token })
    await stack.emulator.advance(aWhile)
    expect((await send()).status).toBe(200)
    await stack.emulator.fault({ method: 'GET', path: '/v1/prices', kind: 'status', status: 503, times: 10 })
    expect((await send()).status).toBe(200)
    await stack.emulator.advance(aWhile)
    const away = await send()
    const detail = 'The payment gateway is unavailable; the request is safe to send again'
    expect([away.status, away.body]).toEqual([503, errorBody(detail, 'gateway_unavailable')])
    expect(away.headers['retry-after']).toBe('5')
  })
})

describe('listProducts', () => {
  it('waits for the gateway no longer than a read may take, and leaves out what a list cannot show', async () => {
    const asked: unknown[] = []
    const prices = new Map([['base_ota', { id: 'price_1', gatewayProductId: 'prod_1', currency: 'usd' }]])
    const gateway = {
      prices: async (options: unknown) => {
        asked.push(options)
        return ok(prices)
      },
    }
    const callers = { requireLive: async () => {} }
    expect(await listProducts({ ...fakeBilling({ gateway }), callers }, caller)).toEqual([])
    expect(asked).toEqual([{ answerBy: noon * 1000 + READ_BUDGET }])
  })
})
