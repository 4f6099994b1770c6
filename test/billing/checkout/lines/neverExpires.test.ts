import { describe, expect, it } from '@jest/globals'
import { writeRedemption } from '../../../../lib/adapters/dynamodb/redemptionStore.ts'
import { putSlot } from '../../../../lib/adapters/dynamodb/slotStore.ts'
import { tables } from '../../../../lib/adapters/dynamodb/tables.ts'
import { pendingSlot, userId } from '../../fixtures.ts'

const coupon = { id: 'coupon-1', code: 'CODE', userId }

describe('The billing table', () => {
  it('has no time-to-live attribute', () => {
    expect(tables.billing).not.toHaveProperty('timeToLiveAttribute')
  })

  it.each(['reserve', 'apply'] as const)('has redemptions without a time: %s', (change) => {
    const [item] = writeRedemption('billing', pendingSlot(), { coupon, change })
    expect(Object.keys(item?.Put?.Item ?? {}).sort()).toEqual([
      'couponId',
      'n',
      'pk',
      'product_code',
      'redeemer',
      'sk',
      'state',
    ])
  })

  it('has slots without an expiry time', () => {
    const item = putSlot('billing', pendingSlot()).Put?.Item ?? {}
    expect(Object.keys(item).filter((name) => /expire|ttl/i.test(name))).toEqual([])
    expect(item).toMatchObject({ pendingKey: 'PENDING' })
  })
})
