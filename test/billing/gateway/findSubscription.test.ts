import { afterEach, describe, expect, it } from '@jest/globals'
import { organizationId } from '../fixtures.ts'
import { answer, openGateway, stripeSubscription } from '../openGateway.ts'

let opened: Awaited<ReturnType<typeof openGateway>> | undefined
afterEach(() => opened?.close())

const frozen = JSON.stringify({ items: [{ price: 'price_2' }] })

/** Looks for purchase 2, of price 2, in a customer's list with these pages. */
async function find(pages: readonly (readonly ReturnType<typeof stripeSubscription>[])[]) {
  const asked: string[] = []
  opened = await openGateway((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe')
    const one = pages.flat().find(({ id }) => pathname === `/v1/subscriptions/${id}`)
    if (one) return answer(response, 200, one)
    asked.push(`${pathname}?status=${searchParams.get('status')}`)
    const after = searchParams.get('starting_after')
    const page = after === null ? 0 : pages.findIndex((listed) => listed.at(-1)?.id === after) + 1
    const body = {
      object: 'list',
      url: '/v1/subscriptions',
      data: pages[page] ?? [],
      has_more: page < pages.length - 1,
    }
    answer(response, 200, body)
  })
  const purchase = { organization_id: organizationId, plan_code: 'base_ota', n: 2 }
  const found = await opened.subscriptions.findSubscription('cus_1', purchase, frozen)
  const asking = [...asked]
  return { found, asked: asking, count: await opened.subscriptions.countPurchases('cus_1', purchase) }
}

const other = stripeSubscription('sub_other', 1)
const ended = stripeSubscription('sub_ended', 2, 'canceled')
const live = stripeSubscription('sub_live', 2)

describe('findSubscription', () => {
  it('finds a subscription on the last page of the list, in every status', async () => {
    const { found, asked } = await find([[other], [stripeSubscription('sub_older', 1)], [ended]])
    expect(found).toMatchObject({ kind: 'ok', value: { id: 'sub_ended' } })
    expect(asked).toEqual(Array.from({ length: 3 }, () => '/v1/subscriptions?status=all'))
  })

  it('returns null where no page has it', async () => {
    expect((await find([[other], []])).found).toMatchObject({ kind: 'ok', value: null })
  })
})

describe('countPurchases', () => {
  it('counts every subscription of the purchase on every page, in every status', async () => {
    expect((await find([[other, ended], [live]])).count).toMatchObject({ kind: 'ok', value: 2 })
    await opened?.close()
    expect((await find([[other], []])).count).toMatchObject({ kind: 'ok', value: 0 })
  })
})
