import { describe, expect, it } from '@jest/globals'
import { released } from '../../../lib/billing/slot/slot.ts'
import { toFree, toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { slotEventsOf } from '../../../lib/billing/slot/slotEvents.ts'
import { subscriptionResource } from '../../../lib/billing/slot/subscriptionResource.ts'
import { noon, pendingSlot, subscription } from '../fixtures.ts'

const now = noon * 1000
const end = noon + 86_400
const pending = pendingSlot()
const bought = toSubscription(pending, subscription(), now)
const said = (change: typeof bought) => (change.events ?? []).map(({ type }) => type)

describe('The events of a slot', () => {
  it('of a purchase are its entitlement and its subscription, in the write that records it', () => {
    const [entitlement, sold] = bought.events ?? []
    const { organizationId, rev, product } = bought.next
    expect(entitlement).toMatchObject({
      type: 'entitlement.changed',
      organizationId,
      subject: `slot:${product}`,
      revision: rev,
      data: { product, active: true, valid_until: expect.any(String), updated_at: expect.any(String) },
    })
    expect(sold?.type).toBe('subscription.changed')
    // The object of `GET /api/billing/subscriptions`, to the last member.
    expect(subscriptionResource.parse(sold?.data)).toMatchObject({ product, status: 'active' })
  })

  it('have the same ids if the same write is made again, and other ids at the next', () => {
    const ids = (change: typeof bought) => change.events?.map(({ id }) => id)
    expect(ids(toSubscription(pending, subscription(), now + 5000))).toEqual(ids(bought))
    const canceled = toSubscription(bought.next, subscription({ status: 'canceled', endedAt: noon }), now)
    expect(new Set([...(ids(bought) ?? []), ...(ids(canceled) ?? [])]).size).toBe(4)
  })

  it('are none if nothing that others see has changed', () => {
    expect(said(toSubscription(bought.next, subscription({ coveredUntil: noon + 60 }), now))).toEqual([])
  })

  it('of a scheduled end move the entitlement if it ends earlier', () => {
    const scheduled = toSubscription(bought.next, subscription({ cancelAt: end }), now)
    expect(said(scheduled)).toEqual(['entitlement.changed', 'subscription.changed'])
    expect(scheduled.events?.[0]?.data).toMatchObject({ active: true, valid_until: expect.stringContaining('Z') })
  })

  it('of an end take the entitlement away', () => {
    const ended = toSubscription(bought.next, subscription({ status: 'canceled', endedAt: noon }), now)
    expect(ended.events?.map(({ data }) => [data.active, data.status])).toEqual([
      [false, undefined],
      [undefined, 'canceled'],
    ])
  })

  it('have no page of the gateway, which opens without signing in', () => {
    const payment = { kind: 'invoice_open', hostedInvoiceUrl: 'https://pay.example/i/1' } as const
    const billed = toSubscription(pending, subscription({ gateway: 'invoice', payment }), now)
    expect(billed.events?.at(-1)?.data).toMatchObject({ action: 'pay_invoice', hosted_invoice_url: null })
  })

  it('are none of a purchase that is under way, and none if it is given up', () => {
    expect(slotEventsOf(released(pending), pending, now)).toEqual([])
    expect(toFree(pending).events).toBeUndefined()
  })
})
