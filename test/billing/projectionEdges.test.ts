import { describe, expect, it } from '@jest/globals'
import { beforeFetch, project } from '../../lib/billing/projection.ts'
import { liveSlot, noon, organizationId, pendingSlot, subscription, userId } from './fixtures.ts'

const now = (noon + 60) * 1000
const purchase = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: 1, user_id: userId }
const deleted = {
  kind: 'subscription',
  type: 'customer.subscription.deleted',
  created: noon + 10,
  subscriptionId: 'sub_0',
  customerId: 'cus_1',
  purchase,
} as const

describe('A deletion', () => {
  it.each([
    ['of another purchase while one is under way', pendingSlot({ n: 2 }), deleted],
    ['of another subscription of the purchase that stands', liveSlot(), deleted],
    ['of no purchase of ours while one is under way', pendingSlot(), { ...deleted, purchase: null }],
  ])('%s needs no look', (_, standing, event) => {
    expect(beforeFetch(standing, event)).toBe('older subscription')
  })
})

describe('A slot whose next purchase is under way', () => {
  const { subscription: remembered } = liveSlot()
  const pending = pendingSlot({ n: 2, ...(remembered && { subscription: remembered }) })

  it('is not written by the ended subscription that it remembers', () => {
    const ended = subscription({ status: 'canceled', endedAt: noon })
    expect(project(pending, ended, now)).toEqual({ kind: 'ignore', because: 'older subscription' })
  })
})

describe('A subscription that has lost its metadata', () => {
  it('is still its slot’s own, and moves no purchase number', () => {
    expect(project(liveSlot({ n: 3 }), subscription({ purchase: null }), now)).toMatchObject({
      kind: 'write',
      change: { next: { n: 3, rev: 4 } },
    })
  })
})
