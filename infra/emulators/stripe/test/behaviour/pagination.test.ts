import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal } from '../support/refusal.ts'
import { openTestAccount } from './openTestAccount.ts'

const account = await openTestAccount()
const { stripe } = account
const { subscriptions } = stripe
afterAll(() => account.close())
const { id: customer } = await account.customerWith()
const ids: string[] = []
for (let count = 0; count < 5; count += 1)
  ids.unshift((await subscriptions.create({ customer, items: [{ price: account.prices.free }] })).id)
await subscriptions.cancel(ids[0] ?? '')

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('GET /v1/subscriptions', () => {
  it('returns a page at a time, with has_more', async () => {
    const first = await subscriptions.list({ customer, status: 'all', limit: 2 })
    expect(first).toMatchObject({ object: 'list', url: '/v1/subscriptions', has_more: true })
    expect(first.data).toHaveLength(2)
    const after = first.data.at(-1)?.id ?? ''
    const rest = await subscriptions.list({ customer, status: 'all', limit: 10, starting_after: after })
    expect(rest.has_more).toBe(false)
    expect(idsOf([...first.data, ...rest.data]).sort()).toEqual([...ids].sort())
    const back = await subscriptions.list({ customer, status: 'all', limit: 2, ending_before: rest.data[0]?.id ?? '' })
    expect(idsOf(back.data)).toEqual(idsOf(first.data))
  })

  it('leaves out canceled subscriptions unless asked for', async () => {
    const list = async (status?: 'all' | 'canceled' | 'ended') =>
      idsOf((await subscriptions.list({ customer, limit: 100, ...(status && { status }) })).data).sort()
    expect(await list()).toEqual(ids.slice(1).sort())
    expect(await list('canceled')).toEqual(ids.slice(0, 1))
    expect(await list('ended')).toEqual(ids.slice(0, 1))
  })

  it.each([
    [
      'a cursor that is nothing',
      { starting_after: 'sub_unknown' },
      { code: 'resource_missing', param: 'starting_after' },
    ],
    ['a page of none', { limit: 0 }, { param: 'limit' }],
    ['a page of more than a hundred', { limit: 101 }, { param: 'limit' }],
    ['a status that is none', { status: 'gone' }, { param: 'status' }],
    ['an unknown customer', { customer: 'cus_unknown' }, { code: 'resource_missing', param: 'customer' }],
  ])('refuses %s', async (_case, change, expected) => {
    const params: object = { customer, ...change }
    await expectRefusal(subscriptions.list(params), { statusCode: 400, ...expected })
  })
})
