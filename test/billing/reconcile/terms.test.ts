import { describe, expect, it } from '@jest/globals'
import type { ListedSubscription, SubscriptionTerms } from '../../../lib/billing/gateway/subscription.ts'
import { sells, termsDifferences } from '../../../lib/billing/reconcile/terms.ts'
import { liveSlot, noon, soldPrice, subscription, userId } from '../fixtures.ts'

const item = { priceId: 'price_1', lookupKey: 'base_ota', gatewayProductId: 'prod_ota', currency: 'usd', quantity: 1 }
const sold: SubscriptionTerms = {
  items: [item],
  currency: 'usd',
  collectionPaused: false,
  couponIds: [],
  trialEnd: null,
}
const cent = { amount: 1, currency: 'usd', interval: 'month', intervalCount: 1 } as const
const current = { gatewayProductId: 'prod_ota' }

function listed(terms: Partial<SubscriptionTerms>, change = {}): ListedSubscription {
  return { ...subscription(change), terms: { ...sold, ...terms } }
}

const reasons = (row: ListedSubscription, slot = liveSlot()) =>
  termsDifferences(slot, row, current).map(({ here, there, why }) => `${why}: ${here} -> ${there}`)

describe('A subscription with the terms that were sold', () => {
  it('does not differ', () => {
    expect(reasons(listed({}))).toEqual([])
  })

  it('does not differ with the coupon that was named, nor once that has been used up', () => {
    const slot = liveSlot({ coupon: { id: 'half', code: 'HALF', userId } })
    expect(reasons(listed({ couponIds: ['half'] }), slot)).toEqual([])
    expect(reasons(listed({}), slot)).toEqual([])
  })

  it('may have another price of the same product, or one of another product that has the lookup key', () => {
    expect(reasons(listed({ items: [{ ...item, priceId: 'price_old', lookupKey: null }] }))).toEqual([])
    expect(reasons(listed({ items: [{ ...item, gatewayProductId: 'prod_new' }] }))).toEqual([])
  })

  it('may have any price as long as the sale’s is not recorded', () => {
    const older = liveSlot()
    delete older.subscription?.price
    expect(reasons(listed({}, { price: cent }), older)).toEqual([])
  })
})

describe('A subscription differs from what was sold', () => {
  const other = { ...item, priceId: 'price_2', lookupKey: 'addon_monitoring', gatewayProductId: 'prod_monitoring' }

  it.each<[string, Partial<SubscriptionTerms>, string[]]>([
    ['an item more', { items: [item, item] }, ['its items were changed: 1 item -> 2 items']],
    ['no item', { items: [] }, ['its items were changed: 1 item -> 0 items']],
    ['a price of another product', { items: [other] }, ['its price is of another product: base_ota -> price_2']],
    ['a quantity', { items: [{ ...item, quantity: 3 }] }, ['its quantity was changed: quantity 1 -> quantity 3']],
    ['a currency', { currency: 'eur' }, ['its currency is not its price’s: usd -> eur']],
    ['a pause', { collectionPaused: true }, ['collecting its payments is paused: collected -> paused']],
    ['a discount', { couponIds: ['gift'] }, ['it has another discount: no coupon -> coupon gift']],
  ])('by %s', (_, terms, differences) => {
    expect(reasons(listed(terms))).toEqual(differences)
  })

  it('by another discount than the coupon that was named', () => {
    const slot = liveSlot({ coupon: { id: 'half', code: 'HALF', userId } })
    const both = listed({ couponIds: ['half', 'gift'] })
    expect(reasons(both, slot)).toEqual(['it has another discount: coupon half -> coupon gift'])
  })

  it('by a price that was replaced, also by one that is no single amount, but is not said to if its items were changed', () => {
    const replaced = 'its price was replaced: 4900 usd / 1 month ->'
    expect(reasons(listed({}))).toEqual([])
    expect(reasons(listed({}, { price: cent }))).toEqual([`${replaced} 1 usd / 1 month`])
    expect(reasons(listed({}, { price: { ...soldPrice, interval: 'year' } }))).toEqual([
      `${replaced} 4900 usd / 1 year`,
    ])
    expect(reasons(listed({}, { price: null }))).toEqual([`${replaced} no single amount`])
    const more = listed({ items: [item, item] }, { price: null })
    expect(reasons(more)).toEqual(['its items were changed: 1 item -> 2 items'])
  })

  it('by a trial', () => {
    const trial = listed({ trialEnd: noon }, { status: 'trialing' })
    expect(reasons(trial)).toEqual([`no trial is sold: no trial -> trial until ${noon}`])
  })
})

describe('A subscription sells a product', () => {
  it('by its prices, whatever its metadata say', () => {
    expect(sells(listed({}), 'ota', undefined)).toBe(true)
    expect(sells(listed({}), 'monitoring', { gatewayProductId: 'prod_monitoring' })).toBe(false)
    expect(sells(listed({ items: [] }), 'ota', current)).toBe(false)
  })
})
