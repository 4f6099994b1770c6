import { afterAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())
const person = { name: 'Ada or Grace', email: 'ada@example.com', metadata: { team: 'red and blue' } }
const { id: customer } = await emulator.customerWith('pm_card_visa', person)
await stripe.customers.create({ name: 'Bob', email: 'bob@example.com' })
const { id: subscription } = await emulator.subscribe(customer)

const resources = ['customers', 'invoices', 'charges', 'paymentIntents', 'prices', 'products', 'subscriptions'] as const
type Resource = (typeof resources)[number]

async function count(resource: Resource, query: string): Promise<number> {
  return (await stripe[resource].search({ query })).data.length
}

describe('Search', () => {
  it('lags behind the list by a minute', async () => {
    expect(await count('customers', "name:'Bob'")).toBe(0)
    await emulator.advance(61)
    expect(await count('customers', "name:'Bob'")).toBe(1)
  })

  it.each<[Resource, () => string, number]>([
    ['customers', () => "metadata['team']:'red and blue'", 1],
    ['customers', () => "name:'Ada or Grace' OR name:'bob'", 2],
    ['customers', () => 'email~"example" AND -name:"Bob"', 1],
    ['customers', () => "phone:null email:'ada@example.com'", 1],
    ['invoices', () => `subscription:'${subscription}' AND total>=4900`, 1],
    ['invoices', () => `customer:'${customer}' AND total>4900`, 0],
    ['charges', () => "status:'succeeded' AND refunded:'false' AND payment_method_details.card.last4:4242", 1],
    ['paymentIntents', () => `customer:"${customer}" AND amount:4900`, 1],
    ['prices', () => "lookup_key:'base_ota' AND active:'true'", 1],
    ['products', () => "name~'OT'", 1],
    ['subscriptions', () => "status:'active' AND created>0", 1],
  ])('of %s finds what a query says', async (resource, query, found) => {
    expect(await count(resource, query())).toBe(found)
  })

  it.each(resources)(
    'of %s refuses a query that it cannot read or has no field for, rows or none',
    async (resource) => {
      const refused = { statusCode: 400, rawType: 'invalid_request_error', param: 'query' }
      for (const query of [
        'nonsense',
        "colour:'red'",
        "status:'a' AND",
        'created>1 AND created>2 OR created>3',
        "metadata:'x'",
      ])
        await expectRefusal(stripe[resource].search({ query }), refused)
      const fresh = await openEmulator({ seed: undefined })
      await expectRefusal(fresh.stripe[resource].search({ query: 'nonsense' }), refused)
      await fresh.close()
    },
  )

  it('forgets a deleted object a minute later, and has pages', async () => {
    const { id } = await stripe.customers.create({ name: 'Carol' })
    await emulator.advance(61)
    await stripe.customers.del(id)
    expect(await count('customers', "name:'Carol'")).toBe(1)
    await emulator.advance(61)
    expect(await count('customers', "name:'Carol'")).toBe(0)
    const first = await stripe.customers.search({ query: 'created>0', limit: 1 })
    expect([first.data.length, first.has_more]).toEqual([1, true])
    const second = await stripe.customers.search({ query: 'created>0', limit: 1, page: first.next_page ?? '' })
    expect([second.data.length, second.has_more]).toEqual([1, false])
  })
})
