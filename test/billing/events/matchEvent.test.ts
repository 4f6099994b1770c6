import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { matchAccount, matchSlot } from '../../../lib/billing/events/matchEvent.ts'
import type { GatewayEvent } from '../../../lib/billing/gateway/gatewayEvent.ts'
import { emptySlot, type Slot } from '../../../lib/billing/slot/slot.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, liveSlot, noon, organizationId, purchase } from '../fixtures.ts'

const otherId = organizationIdSchema.parse('6a3c9d2f-0e5b-4f70-9b8c-2d3e4f5a6b7c')
const empty = emptySlot(organizationId, 'monitoring')
const free = emptySlot(organizationId, 'ota')

/** Two organizations with a customer each; the index finds what it is given. */
function store({ slots = [liveSlot(), empty], indexed = [organizationId] as (typeof organizationId)[] } = {}) {
  const calls: string[] = []
  const accountOf = (id: typeof organizationId) => ({
    ...account,
    organizationId: id,
    customer: { cipher: 'c', digest: customerDigest(id === organizationId ? 'cus_1' : 'cus_2') },
  })
  const { records } = fakeBilling({
    records: {
      readSlot: async (id, product) => {
        calls.push(`read ${product} ${id}`)
        const slot = (id === organizationId ? slots : []).find((one) => one.product === product)
        return { account: accountOf(id), slot: slot ?? emptySlot(id, product) }
      },
      readSlots: async (id) => {
        calls.push(`read ${id}`)
        return { account: accountOf(id), slots: id === organizationId ? slots : [emptySlot(id, 'ota')] }
      },
      readAccount: async (id) => {
        calls.push(`read ${id}`)
        return accountOf(id)
      },
      findOrganizations: async (digest) => {
        calls.push(`find ${digest === customerDigest('cus_1') ? 'cus_1' : 'another'}`)
        return digest === customerDigest('cus_1') ? indexed : []
      },
    },
  })
  return { records, calls }
}

type SubscriptionEvent = Extract<GatewayEvent, { kind: 'subscription' }>

function event(change: Partial<SubscriptionEvent> = {}): SubscriptionEvent {
  const type = 'customer.subscription.updated'
  return {
    kind: 'subscription',
    type,
    created: noon,
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    purchase,
    ...change,
  }
}

const slot = (found: Slot) => ({ kind: 'slot', gateway: 'card', slot: found })
const firstRead = [`read ${organizationId}`]
const named = (product: Slot['product'], id = organizationId) => `read ${product} ${id}`
const byIndex = ['find cus_1', ...firstRead]

describe('matchSlot', () => {
  it('takes the slot that metadata names in one read, where organization and subscription agree', async () => {
    const { records, calls } = store()
    expect([await matchSlot(records, event()), calls]).toEqual([slot(liveSlot()), [named('ota')]])
  })

  // [bug 6]
  it('takes the slot that holds the subscription, whatever product its metadata names', async () => {
    const { records, calls } = store()
    const edited = event({ purchase: { ...purchase, plan_code: 'addon_monitoring' } })
    expect([await matchSlot(records, edited), calls]).toEqual([slot(liveSlot()), [named('monitoring'), ...firstRead]])
  })

  it('takes the slot that holds the subscription, also where the product that its metadata names has another one', async () => {
    const { subscription, ...monitoring } = { ...liveSlot(), product: 'monitoring' as const }
    const other = { ...monitoring, ...(subscription && { subscription: { ...subscription, id: 'sub_9' } }) }
    const { records } = store({ slots: [liveSlot(), other] })
    const edited = event({ purchase: { ...purchase, plan_code: 'addon_monitoring' } })
    expect(await matchSlot(records, edited)).toEqual(slot(liveSlot()))
  })

  it.each([
    ['has no metadata', null, byIndex],
    ['names no organization', { ...purchase, organization_id: 'org-7' }, byIndex],
    [
      'names another organization',
      { ...purchase, organization_id: otherId },
      [named('ota', otherId), `read ${otherId}`, ...byIndex],
    ],
  ])('finds it by its customer where it %s', async (_, edited, calls) => {
    const { records, calls: made } = store()
    expect([await matchSlot(records, event({ purchase: edited })), made]).toEqual([slot(liveSlot()), calls])
  })

  it('takes the product of the metadata in the customer’s organization where no slot holds it', async () => {
    const { records } = store({ slots: [free, empty] })
    const edited = event({ purchase: { ...purchase, organization_id: otherId, plan_code: 'addon_monitoring' } })
    expect(await matchSlot(records, edited)).toEqual(slot(empty))
  })

  it.each([null, { ...purchase, plan_code: 'ota' }])(
    'names the organization alone where no product is named: %j',
    async (edited) => {
      const { records } = store({ slots: [free, empty] })
      const unnamed = { kind: 'no_slot', gateway: 'card', organizationId }
      expect(await matchSlot(records, event({ purchase: edited }))).toEqual(unnamed)
    },
  )

  it('takes it for none of ours where no organization has its customer, even if metadata names one', async () => {
    const { records } = store()
    expect(await matchSlot(records, event({ customerId: 'cus_3' }))).toBeUndefined()
  })

  it('trusts the index no further than the record: an organization with another customer by now is not taken', async () => {
    const { records } = store({ indexed: [otherId] })
    expect(await matchSlot(records, event({ purchase: null }))).toBeUndefined()
  })

  it('does not read an organization again that the index lags behind on', async () => {
    const { records, calls } = store({ indexed: [otherId] })
    const misnamed = event({ purchase: { ...purchase, organization_id: otherId } })
    expect([await matchSlot(records, misnamed), calls]).toEqual([
      undefined,
      [named('ota', otherId), `read ${otherId}`, 'find cus_1'],
    ])
  })
})

describe('matchAccount', () => {
  const deleted = (named: string | null) =>
    ({ kind: 'customer_deleted', created: noon, customerId: 'cus_1', organizationId: named }) as const

  it.each([
    ['reads the organization that is named', organizationId, firstRead],
    ['finds it by its customer where none is named', null, byIndex],
    ['finds it by its customer where another one is named', otherId, [`read ${otherId}`, ...byIndex]],
  ])('%s', async (_, named, calls) => {
    const { records, calls: made } = store()
    expect([(await matchAccount(records, deleted(named)))?.organizationId, made]).toEqual([organizationId, calls])
  })

  it('finds none for a customer that is not ours', async () => {
    const { records } = store({ indexed: [] })
    expect(await matchAccount(records, deleted(null))).toBeUndefined()
  })
})
