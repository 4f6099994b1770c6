import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { repair } from '../../../lib/billing/reconcile/repair.ts'
import { emptySlot } from '../../../lib/billing/slot/slot.ts'
import { projected } from '../../../lib/billing/slot/slotChange.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, liveSlot, noon, ok, organizationId, purchase, subscription } from '../fixtures.ts'

/** Repairs purchase 1, which is live and paid beside the slot's own purchase 2. */
async function repairSurplus(settings: { adoptOnly: boolean; dryRun: boolean }, claiming = 1) {
  const calls: string[] = []
  const call = (name: string) => void calls.push(name)
  const own = subscription({ id: 'sub_2', purchase: { ...purchase, n: 2 } })
  const slot = projected(liveSlot({ n: 2 }), own)
  const bound = { ...account, customer: { cipher: 'c', digest: customerDigest('cus_1') } }
  const deps = fakeBilling({
    records: { readSlot: async () => ({ account: bound, slot }) },
    gateway: {
      fetchSubscription: async (id) => ok(id === own.id ? own : subscription()),
      countPurchases: async () => ok(claiming),
      listPaidInvoices: async () => ok([{ paidAt: noon, refunded: false, refundable: true, paidLater: false }]),
      cancelNow: async (id) => {
        call(`cancel ${id}`)
        return ok(subscription({ status: 'canceled' }))
      },
      refundSubscription: async (id) => {
        call(`refund ${id}`)
        return ok(1)
      },
    },
  })
  const { adoptOnly, dryRun } = settings
  const drift = await repair({ ...deps, dryRun, pass: { adoptOnly } }, subscription(), {
    organizationId,
    product: 'ota',
  })
  return { drift, calls }
}

describe('repair, of a surplus purchase beside the slot’s own', () => {
  it('cancels and refunds it', async () => {
    const { drift, calls } = await repairSurplus({ adoptOnly: false, dryRun: false })
    expect(drift).toMatchObject([{ remedy: 'cancel and refund', subscriptionId: 'sub_1', done: true }])
    expect(calls).toEqual(['cancel sub_1', 'refund sub_1'])
  })

  it('only reports one whose number another subscription has as well', async () => {
    const { drift, calls } = await repairSurplus({ adoptOnly: false, dryRun: false }, 2)
    expect(drift).toMatchObject([{ remedy: 'report', subscriptionId: 'sub_1', done: false }])
    expect(calls).toEqual([])
  })

  it.each([
    ['only reports it in a pass after a restore', { adoptOnly: true, dryRun: false }, 'report'],
    ['only reports what it would do in a dry run', { adoptOnly: false, dryRun: true }, 'cancel and refund'],
  ] as const)('%s', async (_, settings, remedy) => {
    const { drift, calls } = await repairSurplus(settings)
    expect(drift).toMatchObject([{ remedy, subscriptionId: 'sub_1', done: false }])
    expect(calls).toEqual([])
  })
})

describe('repair, of a purchase of a slot that was never written', () => {
  it('fetches the subscription from the gateway that has it', async () => {
    const byInvoice = subscription({ gateway: 'invoice' })
    const bound = {
      ...account,
      gateway: 'invoice' as const,
      customer: { cipher: 'c', digest: customerDigest('cus_1') },
    }
    const slot = emptySlot(organizationId, 'ota')
    const { gateways, ...deps } = fakeBilling({
      records: { readSlot: async () => ({ account: bound, slot }), commit: async () => null },
      gateway: { fetchSubscription: async () => ok(byInvoice) },
    })
    const { card: unasked } = fakeBilling({}).gateways
    const settings = {
      dryRun: false,
      pass: { adoptOnly: false },
      gateways: { card: unasked, invoice: gateways.invoice },
    }
    const drift = await repair({ ...deps, ...settings }, byInvoice, slot)
    expect(drift).toMatchObject([{ remedy: 'adopt', subscriptionId: 'sub_1', done: true }])
  })
})

describe('repair, of a purchase by a customer that is not the organization’s', () => {
  it.each([
    ['there is no such organization', undefined],
    ['the organization has no customer', account],
    [
      'it belongs to another customer than the organization’s',
      { ...account, customer: { cipher: 'c', digest: 'other' } },
    ],
  ] as const)('only reports that %s', async (why, known) => {
    const slot = emptySlot(organizationId, 'ota')
    const deps = fakeBilling({
      records: { readSlot: async () => ({ account: known, slot }) },
      gateway: { fetchSubscription: async () => ok(subscription()) },
    })
    const drift = await repair({ ...deps, dryRun: false, pass: { adoptOnly: true } }, subscription(), slot)
    expect(drift).toMatchObject([{ remedy: 'report', subscriptionId: 'sub_1', why, done: false }])
  })
})
