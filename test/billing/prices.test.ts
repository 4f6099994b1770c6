import { expect, it } from '@jest/globals'
import { answer, openGateway } from './openGateway.ts'

it('createPriceList asks for ten lookup keys at a time, which is as many as Stripe takes', async () => {
  const planCodes = Array.from({ length: 12 }, (_, index) => `plan_${index}`)
  const asked: string[][] = []
  const { pricesOf, close } = await openGateway(({ url = '' }, response) => {
    const keys = [...new URL(url, 'http://stripe').searchParams]
      .filter(([name]) => name.startsWith('lookup_keys'))
      .map(([, key]) => key)
    asked.push(keys)
    const data = keys.map((key) => ({ id: `price_of_${key}`, lookup_key: key, product: 'prod_1' }))
    answer(response, 200, { object: 'list', data, has_more: false })
  })
  try {
    const prices = await pricesOf(planCodes)
    expect(asked).toEqual([planCodes.slice(0, 10), planCodes.slice(10)])
    expect(prices.kind === 'ok' && [...prices.value.keys()]).toEqual(planCodes)
  } finally {
    await close()
  }
})
