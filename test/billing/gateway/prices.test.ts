import { expect, it } from '@jest/globals'
import { noon, ok } from '../fixtures.ts'
import { answer, openGateway } from '../openGateway.ts'

it('createPriceList keeps a list for five minutes, unless fresh prices are wanted or it lacks a plan', async () => {
  let asked = 0
  let sold = ['plan_1']
  const { openPrices, close } = await openGateway((_, response) => {
    asked += 1
    const data = sold.map((key) => ({ id: `price_${asked}`, lookup_key: key, product: 'prod_1', currency: 'usd' }))
    answer(response, 200, { object: 'list', data, has_more: false })
  })
  try {
    const prices = openPrices(['plan_1', 'plan_2'])
    const priceOf = async (plan: string, options?: { fresh: boolean }) => {
      const list = await prices(options)
      return list.kind === 'ok' ? list.value.get(plan)?.id : list.kind
    }
    expect(await priceOf('plan_2')).toBeUndefined()
    sold = ['plan_1', 'plan_2']
    expect([await priceOf('plan_2'), await priceOf('plan_2')]).toEqual(['price_2', 'price_2'])
    expect([await priceOf('plan_2', { fresh: true }), await priceOf('plan_2')]).toEqual(['price_3', 'price_3'])
  } finally {
    await close()
  }
})

// [bug 13]
it('createPriceList asks for ten lookup keys at a time, which is as many as Stripe takes', async () => {
  const planCodes = Array.from({ length: 12 }, (_, index) => `plan_${index}`)
  const asked: string[][] = []
  const { openPrices, close } = await openGateway(({ url = '' }, response) => {
    const keys = [...new URL(url, 'http://stripe').searchParams]
      .filter(([name]) => name.startsWith('lookup_keys'))
      .map(([, key]) => key)
    asked.push(keys)
    const data = keys.map((key) => ({ id: `price_of_${key}`, lookup_key: key, product: 'prod_1', currency: 'usd' }))
    answer(response, 200, { object: 'list', data, has_more: false })
  })
  try {
    const prices = await openPrices(planCodes)()
    expect(asked).toEqual([planCodes.slice(0, 10), planCodes.slice(10)])
    expect(prices.kind === 'ok' && [...prices.value.keys()]).toEqual(planCodes)
  } finally {
    await close()
  }
})

it('createPriceList reads a price that a list cannot show without its offer, for it is still sold', async () => {
  const monthly = { unit_amount: 4900, currency: 'usd', recurring: { interval: 'month', interval_count: 1 } }
  const product = { id: 'prod_1', name: 'One', description: null }
  const shown = { id: 'price_1', lookup_key: 'plan_1', product, ...monthly }
  const hidden = [{ unit_amount: null }, { recurring: null }, { product: { id: 'prod_1', deleted: true } }]
  for (const difference of [{}, ...hidden]) {
    const { openPrices, close } = await openGateway((_, response) =>
      answer(response, 200, { object: 'list', data: [{ ...shown, ...difference }], has_more: false }),
    )
    const prices = await openPrices(['plan_1'])().finally(close)
    const offer = { name: 'One', description: null, amount: 4900, interval: 'month', intervalCount: 1 }
    const price = {
      id: 'price_1',
      gatewayProductId: 'prod_1',
      currency: 'usd',
      ...(Object.keys(difference).length === 0 && { offer }),
    }
    expect(prices).toEqual(ok(new Map([['plan_1', price]])))
  }
})

it('createPriceList gives up at the time that it is given, though the gateway has not answered', async () => {
  const { openPrices, close } = await openGateway(() => {})
  const startedAt = Date.now()
  const prices = await openPrices(['plan_1'])({ answerBy: noon * 1000 + 50 }).finally(close)
  expect(prices).toMatchObject({ kind: 'unknown' })
  expect(Date.now() - startedAt).toBeLessThan(3000)
})
