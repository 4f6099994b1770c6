import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { projectEvent } from '../../../lib/billing/events/projectEvent.ts'
import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { EventPointer } from '../../../lib/billing/gateway/gatewayEvent.ts'
import type { DefaultCard } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../../../lib/billing/gateway/subscription.ts'
import type { BillingRecords } from '../../../lib/billing/slot/ports.ts'
import { emptySlot, type Slot } from '../../../lib/billing/slot/slot.ts'
import type { LogFields } from '../../../lib/log/logger.ts'
import { fakeBilling } from '../fakeBilling.ts'
import {
  declined,
  liveSlot,
  noon,
  ok,
  account as organization,
  organizationId,
  pendingSlot,
  purchase,
  subscription,
  unknown,
  userId,
} from '../fixtures.ts'
import type { GatewayCalls } from '../gatewayCalls.ts'
import { memoryRecords } from '../memoryRecords.ts'

const updated = {
  kind: 'subscription',
  type: 'customer.subscription.updated',
  created: noon + 10,
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  purchase,
} as const
const pastDue = subscription({ status: 'past_due', coveredUntil: noon + 11 })
const bound = { cipher: 'c', digest: customerDigest('cus_1') }

interface Given {
  stored?: Slot
  gateway?: Partial<GatewayCalls>
  recordAccountChange?: BillingRecords['recordAccountChange']
  /** What other writers write before each of our writes. */
  overtakenBy?: readonly Slot[]
  customer?: typeof bound | undefined
  /** Whether the index finds the organization by its customer. */
  indexed?: boolean
  /** What the store returns when the customer is to be unbound. */
  unbound?: boolean
}

async function projectGiven(
  event: EventPointer & { created?: number },
  { stored = liveSlot(), gateway = {}, recordAccountChange, ...rest }: Given = {},
) {
  const records = memoryRecords([stored])
  const reads: string[] = []
  const unbound: string[] = []
  const logged: [string, LogFields | undefined][] = []
  const log = (message: string, fields?: LogFields) => logged.push([message, fields])
  const customer = 'customer' in rest ? rest.customer : bound
  const account = { ...organization, ...(customer && { customer }) }
  const overtakers = [...(rest.overtakenBy ?? [])]
  const fake = fakeBilling({
    records: {
      readSlot: async (id, product) => {
        reads.push(id)
        const slot = records.slots().find((one) => one.product === product) ?? emptySlot(id, product)
        return { account, slot }
      },
      readSlots: async (id) => {
        reads.push(id)
        return { account, slots: records.slots() }
      },
      findOrganizations: async () => (rest.indexed ? [organizationId] : []),
      readAccount: async (id) => {
        reads.push(id)
        return account
      },
      unbindCustomer: async (id, { digest }) => {
        unbound.push(`${id} ${digest}`)
        return rest.unbound ?? true
      },
      commit: async (change) => {
        const next = overtakers.shift()
        if (next) await records.commit({ next })
        return records.commit(change)
      },
      ...(recordAccountChange && { recordAccountChange }),
    },
    // A default that a person chose: a payment leaves it.
    gateway: { fetchDefaultCard: async () => ok({ id: 'pm_0' }), ...gateway },
  })
  const deps = { ...fake, logger: { info: log, warn: log, error: log } }
  const failure = await projectEvent(deps, { created: noon, ...event }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { failure, reads, unbound, logged, slot: records.slots()[0] }
}

const fetched = (value = pastDue) => ({ fetchSubscription: async () => ok(value) })
const ignored = (type: string, because: string) => [['Event ignored', { type, because }]]
const paidOnce = { paidAt: noon, refunded: false, refundable: true, paidLater: false }
const reported = (why: string, of: { subscriptionId: string; n: number }) => [
  ['Subscription reported', { organizationId, product: 'ota', ...of, why }],
]
const unavailable = (message: string) => ({ code: 'gateway_unavailable', message })

describe('projectEvent', () => {
  describe('Given the event of a purchase under way whose metadata was edited since', () => {
    it.each([
      ['removed', null],
      ['given another number', { ...purchase, n: 4 }],
    ])('settles the purchase that the event names (metadata %s)', async (_, edited) => {
      const gateway = fetched(subscription({ purchase: edited }))
      const { failure, slot } = await projectGiven(updated, { stored: pendingSlot(), gateway })
      expect([failure, slot]).toMatchObject([undefined, { state: 'active', n: 1, subscription: { id: 'sub_1' } }])
    })
  })

  describe('Given an event of a subscription', () => {
    it('writes the state that it fetches from the gateway', async () => {
      const asked: string[] = []
      const fetchSubscription = async (id: string) => {
        asked.push(id)
        return ok(pastDue)
      }
      const { failure, reads, logged, slot } = await projectGiven(updated, { gateway: { fetchSubscription } })
      expect([failure, reads, asked]).toEqual([undefined, [organizationId], ['sub_1']])
      expect(slot).toMatchObject({ state: 'past_due', rev: 4, subscription: { coveredUntil: noon + 11 } })
      expect(logged).toEqual([['Subscription projected', { organizationId, product: 'ota', n: 1, state: 'past_due' }]])
    })

    it.each([undefined, { ...bound, digest: customerDigest('cus_2') }])(
      'ignores it where the organization has another customer or none: %j',
      async (customer) => {
        const { logged, slot } = await projectGiven(updated, { customer })
        expect([logged, slot]).toEqual([ignored(updated.type, 'not ours'), liveSlot()])
      },
    )

    it('ignores one that the record covers, fetches nothing, and logs why', async () => {
      const { logged } = await projectGiven({ ...updated, created: noon - 2 })
      expect(logged).toEqual(ignored(updated.type, 'covered'))
    })

    it('ignores a declined purchase under way, which its own request settles', async () => {
      const { failure, logged, slot } = await projectGiven(updated, {
        stored: pendingSlot(),
        gateway: fetched(declined()),
      })
      expect([failure, logged]).toEqual([undefined, ignored(updated.type, 'left to its purchase')])
      expect(slot).toEqual(pendingSlot())
    })

    it.each([unknown, { kind: 'refused', reason: 'other' }] as const)(
      'throws gateway_unavailable where nothing is fetched: %j',
      async (answer) => {
        const { failure } = await projectGiven(updated, { gateway: { fetchSubscription: async () => answer } })
        expect(failure).toMatchObject(unavailable('Subscription not fetched'))
      },
    )

    describe('that the gateway does not know', () => {
      const fetchSubscription = async () => ({ kind: 'refused', reason: 'not_found' }) as const

      it.each([true, false])('reports it where the same key sees its customer (deleted: %p)', async (deleted) => {
        const asked: string[] = []
        const fetchCustomer = async (id: string) => {
          asked.push(id)
          return ok({ deleted })
        }
        const { failure, logged, slot } = await projectGiven(updated, { gateway: { fetchSubscription, fetchCustomer } })
        expect([failure, asked, slot]).toEqual([undefined, ['cus_1'], liveSlot()])
        expect(logged).toEqual(reported('not known to the gateway', { subscriptionId: 'sub_1', n: 1 }))
      })

      it.each([unknown, { kind: 'refused', reason: 'not_found' }] as const)(
        'throws where the customer is not seen either, so that a wrong key or mode loses no event: %j',
        async (answer) => {
          const gateway = { fetchSubscription, fetchCustomer: async () => answer }
          const { failure, logged } = await projectGiven(updated, { gateway })
          const message = 'Neither subscription nor customer is known to the gateway'
          expect([failure, logged]).toEqual([expect.objectContaining(unavailable(message)), []])
        },
      )
    })

    describe('of a customer of ours, that no slot holds and no metadata names', () => {
      const event = { ...updated, subscriptionId: 'sub_2', purchase: null }
      const handMade = subscription({ id: 'sub_2', purchase: null })

      it('reports it while it is live, and touches nothing', async () => {
        const { failure, logged, slot } = await projectGiven(event, { gateway: fetched(handMade), indexed: true })
        expect([failure, slot]).toEqual([undefined, liveSlot()])
        const why = 'live on a customer of ours, without our metadata'
        expect(logged).toEqual([['Subscription reported', { organizationId, subscriptionId: 'sub_2', why }]])
      })

      it('reports it where the gateway does not know it', async () => {
        const fetchSubscription = async () => ({ kind: 'refused', reason: 'not_found' }) as const
        const gateway = { fetchSubscription, fetchCustomer: async () => ok({ deleted: false }) }
        const { logged } = await projectGiven(event, { gateway, indexed: true })
        const why = 'not known to the gateway'
        expect(logged).toEqual([['Subscription reported', { organizationId, subscriptionId: 'sub_2', why }]])
      })

      it('ignores it once it has ended', async () => {
        const gateway = fetched({ ...handMade, status: 'canceled' })
        const { logged } = await projectGiven(event, { gateway, indexed: true })
        expect(logged).toEqual(ignored(updated.type, 'older subscription'))
      })

      it('ignores its deletion, and fetches nothing', async () => {
        const type = 'customer.subscription.deleted'
        const { failure, logged } = await projectGiven({ ...event, type }, { indexed: true })
        expect([failure, logged]).toEqual([undefined, ignored(type, 'older subscription')])
      })
    })

    it('projects anew after the first and the second lost write, and throws after the third', async () => {
      const overtakenBy = [4, 5].map((rev) => liveSlot({ rev }))
      const { slot, reads } = await projectGiven(updated, { gateway: fetched(), overtakenBy })
      expect([slot?.rev, slot?.state, reads.length]).toEqual([6, 'past_due', 3])
      const lost = await projectGiven(updated, {
        gateway: fetched(),
        overtakenBy: [...overtakenBy, liveSlot({ rev: 6 })],
      })
      expect(lost.failure).toMatchObject(unavailable('The slot kept changing'))
      expect([lost.slot, lost.logged]).toEqual([liveSlot({ rev: 6 }), []])
    })

    describe('that is live and not the slot’s own', () => {
      const held = liveSlot({ n: 2 })
      const numbered = (n: number) => ({ ...purchase, n })
      const byId = (known: readonly GatewaySubscription[]): GatewayCalls['fetchSubscription'] => {
        return async (id) => {
          const found = known.find((one) => one.id === id)
          return found ? ok(found) : { kind: 'refused', reason: 'not_found' }
        }
      }
      const own = subscription({ purchase: numbered(2) })
      const other = subscription({ id: 'sub_2' })
      const event = { ...updated, subscriptionId: 'sub_2' }

      it.each([
        ['removes our own surplus', ok(subscription({ status: 'canceled' })), undefined],
        ['throws while surplus cannot be removed', unknown, unavailable('Orphaned subscription not removed')],
      ] as const)('%s', async (_, canceled, failure) => {
        const gateway = {
          fetchSubscription: byId([own, other]),
          listPaidInvoices: async () => ok([paidOnce]),
          countPurchases: async () => ok(1),
          refundSubscription: async (): Promise<GatewayAnswer<number>> => ok(1),
          cancelNow: async () => canceled,
        }
        const outcome = await projectGiven(event, { stored: held, gateway })
        if (failure) expect(outcome.failure).toMatchObject(failure)
        else expect(outcome.failure).toBeUndefined()
        expect(outcome.slot).toEqual(held)
      })

      it.each([
        ['paid more than once', [paidOnce, paidOnce], 1],
        ['not surely ours', [paidOnce], 2],
      ])('reports surplus that is %s, and touches nothing', async (reason, paid, count) => {
        const gateway = {
          fetchSubscription: byId([own, other]),
          listPaidInvoices: async () => ok(paid),
          countPurchases: async () => ok(count),
        }
        const { failure, logged } = await projectGiven(event, { stored: held, gateway })
        const why = `live beside the slot’s own, and ${reason}`
        expect([failure, logged]).toEqual([undefined, reported(why, { subscriptionId: 'sub_2', n: 2 })])
      })

      it('writes the end of the slot’s own, and then adopts the other', async () => {
        const ended = subscription({ status: 'canceled', endedAt: noon + 5 })
        const gateway = { fetchSubscription: byId([ended, other]) }
        const { failure, slot, reads } = await projectGiven(event, { gateway })
        // The slot that the metadata names, and then all of them.
        expect([failure, reads.length]).toEqual([undefined, 2])
        expect(slot).toMatchObject({ state: 'active', rev: 5, subscription: { id: 'sub_2' } })
      })

      it('reports one that is not surely ours, and touches nothing', async () => {
        const gateway = { fetchSubscription: byId([own, subscription({ id: 'sub_2', purchase: numbered(2) })]) }
        const { failure, logged, slot } = await projectGiven(event, { stored: held, gateway })
        expect([failure, logged, slot]).toEqual([
          undefined,
          reported('live beside the slot’s own', { subscriptionId: 'sub_2', n: 2 }),
          held,
        ])
      })

      it('reports it where the gateway does not know the slot’s own', async () => {
        const { failure, logged } = await projectGiven(event, { gateway: { fetchSubscription: byId([other]) } })
        const why = 'live beside one that the gateway does not know'
        expect([failure, logged]).toEqual([undefined, reported(why, { subscriptionId: 'sub_2', n: 1 })])
      })

      it('throws where the slot’s own cannot be fetched', async () => {
        const fetchSubscription = async (id: string) => (id === 'sub_2' ? ok(other) : unknown)
        const { failure, slot } = await projectGiven(event, { gateway: { fetchSubscription } })
        expect(failure).toMatchObject(unavailable('Subscription not fetched'))
        expect(slot).toEqual(liveSlot())
      })

      it('throws while another purchase is under way, so that the event is sent again', async () => {
        const stored = pendingSlot({ n: 2 })
        const { failure, slot } = await projectGiven(event, { stored, gateway: { fetchSubscription: byId([other]) } })
        expect(failure).toMatchObject(unavailable('Another purchase of the slot is under way'))
        expect(slot).toEqual(stored)
      })
    })
  })

  describe('Given invoice.paid of a subscription that has ended', () => {
    const type = 'invoice.paid'
    const paid = { ...updated, type, subscriptionId: 'sub_2' } as const
    const ended = subscription({ id: 'sub_2', status: 'canceled', createdAt: noon + 1, endedAt: noon + 3 })
    const why = 'ended, and keeps a payment that was not recorded'
    const older = ignored(type, 'older subscription')
    const byId = async (id: string) => ok(id === 'sub_2' ? ended : subscription())

    it('reports one that its slot never had, while the payment is kept', async () => {
      const gateway = { fetchSubscription: byId, listPaidInvoices: async () => ok([paidOnce]) }
      const { failure, logged, slot } = await projectGiven(paid, { gateway })
      expect([failure, slot]).toEqual([undefined, liveSlot()])
      expect(logged).toEqual([...reported(why, { subscriptionId: 'sub_2', n: 1 }), ...older])
    })

    it('ignores it once it was refunded', async () => {
      const listPaidInvoices = async () => ok([{ ...paidOnce, refunded: true }])
      const { logged } = await projectGiven(paid, { gateway: { fetchSubscription: byId, listPaidInvoices } })
      expect(logged).toEqual(older)
    })

    it('throws where the invoices cannot be listed', async () => {
      const gateway = { fetchSubscription: byId, listPaidInvoices: async () => unknown }
      const { failure } = await projectGiven(paid, { gateway })
      expect(failure).toMatchObject(unavailable('Paid invoices not listed'))
    })

    const ownEnded = subscription({ status: 'canceled', endedAt: noon })
    const { subscription: snapshot } = liveSlot()
    const stored = liveSlot({
      state: 'canceled',
      ...(snapshot && { subscription: { ...snapshot, status: 'canceled', endedAt: noon } }),
    })

    it('reports the slot’s own, paid after its recorded end', async () => {
      const gateway = {
        ...fetched(ownEnded),
        listPaidInvoices: async () => ok([{ ...paidOnce, paidAt: noon + 5 }]),
      }
      const { logged, slot } = await projectGiven({ ...updated, type, created: noon + 5 }, { stored, gateway })
      expect([logged, slot]).toEqual([reported(why, { subscriptionId: 'sub_1', n: 1 }), stored])
    })

    it('ignores a late one of before that end, and fetches nothing', async () => {
      const { logged } = await projectGiven({ ...updated, type, created: noon }, { stored })
      expect(logged).toEqual(ignored(type, 'already ended'))
    })
  })

  describe('Given an event of a card', () => {
    const setUp = {
      kind: 'card_set_up',
      customerId: 'cus_1',
      paymentMethodId: 'pm_1',
      organizationId,
      by: userId,
      created: noon,
    } as const

    type CardEvent = Extract<EventPointer, { kind: 'card_set_up' | 'subscription' }>

    /**
     * Delivers the event to a customer with this default. `after`: what the customer has after one write after the other; `paid`: the cards
     * that have paid.
     */
    async function cardGiven(
      event: CardEvent & { created: number },
      found: DefaultCard,
      { after = [], paid = [] }: { after?: readonly DefaultCard[]; paid?: readonly string[] } = {},
    ) {
      const [set, entries]: [string[], string[]] = [[], []]
      const setDefaultCard: GatewayCalls['setDefaultCard'] = async (_, id, because) => {
        set.push(because ? `${id} ${because.kind}` : id)
        const own = because?.kind === 'chosen' ? undefined : because?.kind
        return ok(after[set.length - 1] ?? { id, ...(own && { because: own }) })
      }
      const recordAccountChange: BillingRecords['recordAccountChange'] = async (_, { of, value }, entry) =>
        void entries.push(`${of} ${value}: ${entry.action} ${entry.target} by ${entry.actor.type} ${entry.actor.id}`)
      const gateway = { fetchDefaultCard: async () => ok(found), setDefaultCard, listPaidCards: async () => ok(paid) }
      const { failure, reads } = await projectGiven(event, { gateway, recordAccountChange })
      return { failure, set, entries, reads }
    }
    const setUpGiven = (found: DefaultCard, after?: readonly DefaultCard[], paid?: readonly string[]) =>
      cardGiven(setUp, found, { ...(after && { after }), ...(paid && { paid }) })
    const saidOf = (card: string, by: string) => [
      `default_card ${card}: payment_method.default_changed ${card} by ${by}`,
    ]
    const byUser = `user ${userId}`

    it('makes the first card the default one, and tells the audit log where it is that, and who set it up', async () => {
      for (const [id, set, entries] of [
        [null, ['pm_1 set_up'], saidOf('pm_1', byUser)],
        ['pm_1', [], saidOf('pm_1', byUser)],
        ['pm_0', [], []],
      ] as const) {
        expect(await setUpGiven({ id })).toEqual({ failure: undefined, set, entries, reads: [organizationId] })
      }
      const { entries } = await cardGiven({ ...setUp, by: null }, { id: null })
      expect(entries).toEqual(saidOf('pm_1', 'gateway null'))
    })

    it('makes a card that has paid the default one instead, if its payment came before the event', async () => {
      const { set } = await setUpGiven({ id: null }, [], ['pm_2'])
      expect(set).toEqual(['pm_1 set_up', 'pm_2 paid'])
      expect((await setUpGiven({ id: 'pm_0', because: 'set_up' }, [], ['pm_2'])).set).toEqual(['pm_2 paid'])
    })

    describe('that has paid', () => {
      const type = 'invoice.paid'
      const event = { ...updated, type, created: noon - 2, isFirstInvoice: true } as const
      const paidGiven = (found: DefaultCard, given?: Parameters<typeof cardGiven>[2]) => cardGiven(event, found, given)

      it('makes the first that paid the default one, instead of one that was only set up', async () => {
        const paid = ['pm_2', 'pm_3']
        const entries = saidOf('pm_2', byUser)
        for (const found of [{ id: null }, { id: 'pm_1', because: 'set_up' }] as const)
          expect(await paidGiven(found, { paid })).toMatchObject({ failure: undefined, set: ['pm_2 paid'], entries })
        const kept = await paidGiven({ id: 'pm_3', because: 'set_up' }, { paid })
        expect(kept).toMatchObject({ set: ['pm_3 paid'], entries: saidOf('pm_3', byUser) })
      })

      it('leaves what a user or a person at the gateway chose, and what nothing has paid for', async () => {
        const paid = ['pm_2']
        const nothing = { failure: undefined, set: [], entries: [] }
        for (const found of [{ id: 'pm_1' }, { id: 'pm_1', chosen: { id: 'pm_1', at: noon * 1000 } }])
          expect(await paidGiven(found, { paid })).toMatchObject(nothing)
        for (const found of [{ id: 'pm_1', because: 'set_up' }, { id: null }] as const)
          expect(await paidGiven(found)).toMatchObject(nothing)
      })

      it('restores what a user has chosen meanwhile', async () => {
        const after = [{ id: 'pm_2', chosen: { id: 'pm_3', at: noon * 1000 }, because: 'paid' as const }]
        const { set, entries } = await paidGiven({ id: 'pm_1', because: 'set_up' }, { paid: ['pm_2'], after })
        expect([set, entries]).toEqual([['pm_2 paid', 'pm_3'], []])
      })

      it('says so once more when it is delivered again, and names no user for a renewal', async () => {
        const found = { id: 'pm_2', because: 'paid' } as const
        expect(await paidGiven(found)).toMatchObject({ set: [], entries: saidOf('pm_2', byUser) })
        const { isFirstInvoice: _, ...renewal } = event
        expect((await cardGiven(renewal, found)).entries).toEqual(saidOf('pm_2', 'gateway null'))
      })

      it('throws gateway_unavailable where the gateway does not say which have paid', async () => {
        const gateway = { fetchDefaultCard: async () => ok({ id: null }), listPaidCards: async () => unknown }
        expect((await projectGiven(event, { gateway })).failure).toMatchObject({ code: 'gateway_unavailable' })
      })
    })

    it('restores what a user has chosen meanwhile, also where an earlier delivery crashed, and no older choice', async () => {
      const chosen = { id: 'pm_2', at: noon * 1000 }
      const once = { failure: undefined, entries: [], reads: [organizationId] }
      expect(await setUpGiven({ id: null }, [{ id: 'pm_1', chosen }])).toEqual({
        ...once,
        set: ['pm_1 set_up', 'pm_2'],
      })
      expect(await setUpGiven({ id: 'pm_1', chosen })).toEqual({ ...once, set: ['pm_2'] })
      const later = { ...chosen, id: 'pm_3' }
      const twice = [
        { id: 'pm_1', chosen },
        { id: 'pm_2', chosen: later },
      ]
      expect(await setUpGiven({ id: null }, twice)).toEqual({
        ...once,
        set: ['pm_1 set_up', 'pm_2', 'pm_3'],
      })
      const older = { ...chosen, at: noon * 1000 - 45_001 }
      expect(await setUpGiven({ id: null }, [{ id: 'pm_1', chosen: older }])).toMatchObject({ set: ['pm_1 set_up'] })
    })

    it.each([
      ['no organization', { ...setUp, organizationId: null }],
      ['an organization that is none', { ...setUp, organizationId: 'org-7' }],
      ['another customer', { ...setUp, customerId: 'cus_2' }],
    ])('ignores it with %s', async (_, event) => {
      expect((await projectGiven(event)).logged).toEqual(ignored('setup_intent.succeeded', 'not ours'))
    })

    it.each([
      ['not_found', undefined],
      ['customer_missing', undefined],
      ['other', { code: 'gateway_unavailable' }],
    ] as const)('throws nothing where card or customer no longer exists: %s', async (reason, failure) => {
      const refused = async () => ({ kind: 'refused', reason }) as const
      const gateway = { fetchDefaultCard: async () => ok({ id: null }), setDefaultCard: refused }
      const outcome = await projectGiven(setUp, { gateway })
      if (failure) expect(outcome.failure).toMatchObject(failure)
      else expect(outcome.failure).toBeUndefined()
    })

    it('throws gateway_unavailable where the gateway does not answer', async () => {
      const { failure } = await projectGiven(setUp, { gateway: { fetchDefaultCard: async () => unknown } })
      expect(failure).toMatchObject({ code: 'gateway_unavailable' })
    })

    it('ignores a card that was detached', async () => {
      const { logged, reads } = await projectGiven({ kind: 'card_removed' })
      expect([logged, reads]).toEqual([ignored('payment_method.detached', 'no card is kept'), []])
    })
  })

  describe('Given the deletion of a customer', () => {
    const deleted = { kind: 'customer_deleted', customerId: 'cus_1', organizationId } as const

    it('unbinds the customer', async () => {
      const { failure, unbound } = await projectGiven(deleted)
      expect([failure, unbound]).toEqual([undefined, [`${organizationId} ${bound.digest}`]])
    })

    it('throws while a slot is held', async () => {
      expect((await projectGiven(deleted, { unbound: false })).failure).toMatchObject(
        unavailable('A slot is still held'),
      )
    })

    it.each([
      ['no organization', { ...deleted, organizationId: null }],
      ['another customer', { ...deleted, customerId: 'cus_2' }],
    ])('ignores it with %s', async (_, event) => {
      const { logged, unbound } = await projectGiven(event)
      expect([logged, unbound]).toEqual([ignored('customer.deleted', 'not ours'), []])
    })
  })

  describe('Given an event of another type', () => {
    it('ignores it, logs that and reads nothing', async () => {
      const { logged, reads } = await projectGiven({ kind: 'other', type: 'charge.succeeded' })
      expect([logged, reads]).toEqual([ignored('charge.succeeded', 'not projected'), []])
    })
  })
})
