import { describe, expect, it } from '@jest/globals'
import type { PaidInvoice } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { keptPayment } from '../../../lib/billing/slot/refundPolicy.ts'
import { removeSubscription } from '../../../lib/billing/slot/removeSubscription.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { noon, ok, purchase, subscription, unknown } from '../fixtures.ts'
import type { GatewayCalls } from '../gatewayCalls.ts'

const paid: PaidInvoice = { paidAt: noon, refunded: false, refundable: true, paidLater: false }
const refunded: PaidInvoice = { ...paid, refunded: true }

/** Removes surplus at a gateway at which the payment of its open invoice arrives before one of the calls. */
async function removing({
  surplus = subscription(),
  invoices = [paid],
  paidBefore,
  gateway = {},
}: {
  surplus?: ReturnType<typeof subscription>
  invoices?: readonly PaidInvoice[]
  paidBefore?: 'cancelNow' | 'refundSubscription'
  gateway?: Partial<GatewayCalls>
}) {
  const calls: string[] = []
  const given = { paid: invoices.filter((invoice) => !invoice.refunded).length, refunded: 0 }
  const call = (name: string) => {
    if (name === paidBefore) given.paid += 1
    calls.push(name)
  }
  const deps = fakeBilling({
    gateway: {
      listPaidInvoices: async () => {
        call('listPaidInvoices')
        return ok(invoices)
      },
      countPurchases: async () => {
        call('countPurchases')
        return ok(1)
      },
      cancelNow: async (_, as) => {
        call('cancelNow')
        return ok(subscription({ status: 'canceled', refundDue: as.kind === 'refund_due' }))
      },
      refundSubscription: async () => {
        call('refundSubscription')
        given.refunded = given.paid
        return ok(1)
      },
      ...gateway,
    },
  })
  const removal = await removeSubscription(deps, surplus, 'surplus')
  return { outcome: removal.kind === 'keep' ? removal.why : removal.kind, calls, given }
}

const everyCall = ['listPaidInvoices', 'countPurchases', 'cancelNow', 'refundSubscription']

describe('removeSurplus', () => {
  // [bug 11]
  it('cancels first, and refunds then', async () => {
    expect(await removing({})).toEqual({ outcome: 'removed', calls: everyCall, given: { paid: 1, refunded: 1 } })
  })

  it.each(['cancelNow', 'refundSubscription'] as const)(
    'refunds a payment too that arrives just before %s',
    async (paidBefore) => {
      const { outcome, given } = await removing({ invoices: [], paidBefore })
      expect([outcome, given]).toEqual(['removed', { paid: 1, refunded: 1 }])
    },
  )

  it('says with the cancellation that the refund is due', async () => {
    const said: unknown[] = []
    const cancelNow: GatewayCalls['cancelNow'] = async (...call) => {
      said.push(call)
      return ok(subscription({ status: 'canceled' }))
    }
    await removing({ gateway: { cancelNow } })
    expect(said).toEqual([['sub_1', { kind: 'refund_due' }]])
  })

  it('touches nothing that was paid more than once', async () => {
    const { outcome, calls } = await removing({ invoices: [paid, refunded] })
    expect([outcome, calls]).toEqual(['paid more than once', ['listPaidInvoices']])
  })

  it('touches nothing that was paid outside the gateway, which cannot give that back', async () => {
    const { outcome, calls } = await removing({ invoices: [{ ...paid, refundable: false }] })
    expect([outcome, calls]).toEqual(['paid outside the gateway', ['listPaidInvoices']])
  })

  it.each([
    ['where another subscription has its number: one of the two is a copy', ok(2), 'not surely ours'],
    ['where it is not known whether another one has its number', unknown, 'unknown'],
  ] as const)('touches nothing %s', async (_, count, outcome) => {
    const asked: unknown[] = []
    const countPurchases: GatewayCalls['countPurchases'] = async (...call) => {
      asked.push(call)
      return count
    }
    expect(await removing({ gateway: { countPurchases } })).toMatchObject({ outcome, calls: ['listPaidInvoices'] })
    expect(asked).toEqual([['cus_1', purchase]])
  })

  it('touches nothing that names no purchase', async () => {
    const { outcome, calls } = await removing({ surplus: subscription({ purchase: null }) })
    expect([outcome, calls]).toEqual(['not surely ours', ['listPaidInvoices']])
  })

  it('touches nothing where the invoices are not known', async () => {
    const { outcome, calls } = await removing({ gateway: { listPaidInvoices: async () => unknown } })
    expect([outcome, calls]).toEqual(['unknown', []])
  })

  it.each(['cancelNow', 'refundSubscription'] as const)('is not done where %s is unknown', async (method) => {
    expect((await removing({ gateway: { [method]: async () => unknown } })).outcome).toBe('unknown')
  })

  it('makes up for a refund that a crash left out, and does nothing more once it was made', async () => {
    const surplus = subscription({ status: 'canceled', refundDue: true })
    const left = await removing({ surplus })
    expect([left.outcome, left.given.refunded]).toEqual(['removed', 1])
    const done = await removing({ surplus, invoices: [refunded] })
    expect([done.outcome, done.calls]).toEqual(['removed', ['listPaidInvoices']])
  })

  it('makes up for an open invoice that a crash left to be voided', async () => {
    const payment = { kind: 'invoice_open', hostedInvoiceUrl: null } as const
    const surplus = subscription({ status: 'canceled', refundDue: true, wasPaid: false, payment })
    const { outcome, calls } = await removing({ surplus, invoices: [] })
    expect([outcome, calls]).toEqual(['removed', ['listPaidInvoices', 'cancelNow', 'refundSubscription']])
  })
})

describe('keptPayment', () => {
  const numbered = (n: number) => ({ ...purchase, n })
  const ended = subscription({ id: 'sub_0', status: 'canceled', createdAt: noon, endedAt: noon + 50 })
  const own = subscription({ createdAt: noon + 60, purchase: numbered(2) })

  it.each([
    ['none, where the slot had it before its own', ended, own, [paid], false],
    ['none, where it was refunded', ended, undefined, [refunded], false],
    ['none, where nothing was paid', ended, undefined, [], false],
    ['one, where the slot never had any', ended, undefined, [paid], true],
    [
      'none, where what was sent to be paid later was paid after its end',
      ended,
      own,
      [{ ...paid, paidAt: noon + 51, paidLater: true }],
      false,
    ],
    ['one made after its end', ended, own, [{ ...paid, paidAt: noon + 51 }], true],
    [
      'one, where it is newer than the slot’s own',
      { ...ended, createdAt: noon + 61, endedAt: noon + 62 },
      own,
      [paid],
      true,
    ],
    ['one, where it was live beside the slot’s own', { ...ended, endedAt: noon + 61 }, own, [paid], true],
    [
      'none, where the slot’s own was made by hand in its place, with its metadata',
      { ...ended, endedAt: noon + 61 },
      { ...own, purchase: numbered(1) },
      [paid],
      false,
    ],
  ])('is %s', (_, subscriptionEnded, slotsOwn, invoices, kept) => {
    expect(keptPayment(subscriptionEnded, slotsOwn, invoices)).toBe(kept)
  })
})
