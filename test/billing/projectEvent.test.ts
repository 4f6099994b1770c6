import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../lib/billing/customer.ts'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import type { EventPointer } from '../../lib/billing/gatewayEvent.ts'
import type { PaymentGateway } from '../../lib/billing/ports.ts'
import { projectEvent } from '../../lib/billing/projectEvent.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import type { LogFields } from '../../lib/log/logger.ts'
import { fakeBilling } from './fakeBilling.ts'
import { liveSlot, noon, organizationId, pendingSlot, subscription, userId } from './fixtures.ts'
import { memoryRecords } from './memoryRecords.ts'

const ok = <Value>(value: Value) => ({ kind: 'ok', value, replayed: false }) as const
const unknown = { kind: 'unknown', saved: false } as const
const purchase = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: 1, user_id: userId }
const updated = {
  kind: 'subscription',
  type: 'customer.subscription.updated',
  created: noon + 10,
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  purchase,
} as const
const pastDue = subscription({ status: 'past_due', asOf: noon + 11 })
const bound = { cipher: 'c', digest: customerDigest('cus_1') }

interface World {
  standing?: Slot
  gateway?: Partial<PaymentGateway>
  overtakenBy?: readonly Slot[]
  customer?: typeof bound | undefined
  unbound?: boolean
}

async function play(
  event: EventPointer & { created?: number },
  { standing = liveSlot(), gateway = {}, ...rest }: World = {},
) {
  const records = memoryRecords([standing])
  const reads: string[] = []
  const unbound: string[] = []
  const logged: [string, LogFields | undefined][] = []
  const log = (message: string, fields?: LogFields) => logged.push([message, fields])
  const customer = 'customer' in rest ? rest.customer : bound
  const account = { organizationId, createdAt: '2026-01-01T00:00:00Z', customerRev: 0, ...(customer && { customer }) }
  const overtakers = [...(rest.overtakenBy ?? [])]
  const fake = fakeBilling({
    records: {
      readSlot: async (organization, product) => {
        reads.push(`${organization} ${product}`)
        return { account, slot: records.slots()[0] ?? standing }
      },
      readAccount: async (organization) => {
        reads.push(organization)
        return account
      },
      unbindCustomer: async (organization, digest) => {
        unbound.push(`${organization} ${digest}`)
        return rest.unbound ?? true
      },
      commit: async (changes) => {
        const next = overtakers.shift()
        if (next) await records.commit([{ next }])
        return records.commit(changes)
      },
    },
    gateway,
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
const again = (message: string) => ({ code: 'gateway_unavailable', message })

describe('An event of a subscription', () => {
  it('writes what the gateway says now', async () => {
    const asked: string[] = []
    const fetchSubscription = async (id: string) => {
      asked.push(id)
      return ok(pastDue)
    }
    const { failure, reads, logged, slot } = await play(updated, { gateway: { fetchSubscription } })
    expect([failure, reads, asked]).toEqual([undefined, [`${organizationId} ota`], ['sub_1']])
    expect(slot).toMatchObject({ state: 'past_due', rev: 4, subscription: { gatewayClock: noon + 11 } })
    expect(logged).toEqual([['Subscription projected', { organizationId, product: 'ota', n: 1, state: 'past_due' }]])
  })

  it.each([
    ['no purchase', null],
    ['no organization of ours', { ...purchase, organization_id: 'org-7' }],
    ['no plan of ours', { ...purchase, plan_code: 'ota' }],
  ])('is not ours with %s, and nothing is read', async (_, other) => {
    const { failure, reads, logged } = await play({ ...updated, purchase: other })
    expect([failure, reads, logged]).toEqual([undefined, [], ignored(updated.type, 'not ours')])
  })

  it.each([undefined, { ...bound, digest: customerDigest('cus_2') }])(
    'is not ours where the organization has another customer or none: %j',
    async (customer) => {
      const { logged, slot } = await play(updated, { customer })
      expect([logged, slot]).toEqual([ignored(updated.type, 'not ours'), liveSlot()])
    },
  )

  it('is acknowledged without a look where it is covered, and says why', async () => {
    const { logged } = await play({ ...updated, created: noon - 2 })
    expect(logged).toEqual(ignored(updated.type, 'covered'))
  })

  it('is acknowledged where the latest state is left to its purchase', async () => {
    const declined = subscription({ status: 'incomplete', firstPayment: { kind: 'declined', declineCode: null } })
    const { failure, logged, slot } = await play(updated, { standing: pendingSlot(), gateway: fetched(declined) })
    expect([failure, logged]).toEqual([undefined, ignored(updated.type, 'left to its purchase')])
    expect(slot).toEqual(pendingSlot())
  })

  it.each([unknown, { kind: 'refused', reason: 'not_found' }] as const)(
    'comes again where nothing is fetched: %j',
    async (answer) => {
      const { failure } = await play(updated, { gateway: { fetchSubscription: async () => answer } })
      expect(failure).toMatchObject(again('Subscription not fetched'))
    },
  )

  it('is computed anew twice, and comes again after the third lost write', async () => {
    const overtakenBy = [4, 5].map((rev) => liveSlot({ rev }))
    const { slot, reads } = await play(updated, { gateway: fetched(), overtakenBy })
    expect([slot?.rev, slot?.state, reads.length]).toEqual([6, 'past_due', 3])
    const lost = await play(updated, { gateway: fetched(), overtakenBy: [...overtakenBy, liveSlot({ rev: 6 })] })
    expect(lost.failure).toMatchObject(again('The slot kept changing'))
    expect([lost.slot, lost.logged]).toEqual([liveSlot({ rev: 6 }), []])
  })

  it.each([
    ['is acknowledged once it is removed', ok(subscription({ status: 'canceled' })), undefined],
    ['comes again until it is removed', unknown, again('Orphaned subscription not removed')],
  ] as const)('of an orphan %s', async (_, cancelled, failure) => {
    const gateway = {
      ...fetched(subscription({ id: 'sub_2' })),
      refundSubscription: async (): Promise<GatewayAnswer<null>> => ok(null),
      cancelNow: async () => cancelled,
    }
    const outcome = await play({ ...updated, subscriptionId: 'sub_2' }, { gateway })
    if (failure) expect(outcome.failure).toMatchObject(failure)
    else expect(outcome.failure).toBeUndefined()
    expect(outcome.slot).toEqual(liveSlot())
  })
})

describe('An event of a card', () => {
  const setUp = { kind: 'card_set_up', customerId: 'cus_1', paymentMethodId: 'pm_1', organizationId } as const

  it('makes the first card the default', async () => {
    const asked: string[][] = []
    const setFirstDefaultCard: PaymentGateway['setFirstDefaultCard'] = async (...call) => {
      asked.push(call)
      return ok(null)
    }
    const { failure, reads } = await play(setUp, { gateway: { setFirstDefaultCard } })
    expect([failure, reads, asked]).toEqual([undefined, [organizationId], [['cus_1', 'pm_1']]])
  })

  it.each([
    ['no organization', { ...setUp, organizationId: null }],
    ['an organization that is none', { ...setUp, organizationId: 'org-7' }],
    ['another customer', { ...setUp, customerId: 'cus_2' }],
  ])('is not ours with %s', async (_, event) => {
    expect((await play(event)).logged).toEqual(ignored('setup_intent.succeeded', 'not ours'))
  })

  it.each([
    ['not_found', undefined],
    ['customer_missing', undefined],
    ['other', { code: 'gateway_unavailable' }],
  ] as const)('needs nothing more where card or customer is gone: %s', async (reason, failure) => {
    const gateway = { setFirstDefaultCard: async () => ({ kind: 'refused', reason }) as const }
    const outcome = await play(setUp, { gateway })
    if (failure) expect(outcome.failure).toMatchObject(failure)
    else expect(outcome.failure).toBeUndefined()
  })

  it('comes again where the gateway does not answer', async () => {
    const { failure } = await play(setUp, { gateway: { setFirstDefaultCard: async () => unknown } })
    expect(failure).toMatchObject({ code: 'gateway_unavailable' })
  })

  it('that is taken off changes nothing here', async () => {
    const { logged, reads } = await play({ kind: 'card_removed' })
    expect([logged, reads]).toEqual([ignored('payment_method.detached', 'no card is kept'), []])
  })
})

describe('An event of a customer that was deleted', () => {
  const deleted = { kind: 'customer_deleted', customerId: 'cus_1', organizationId } as const

  it('forgets it', async () => {
    const { failure, unbound } = await play(deleted)
    expect([failure, unbound]).toEqual([undefined, [`${organizationId} ${bound.digest}`]])
  })

  it('comes again while a slot is held', async () => {
    expect((await play(deleted, { unbound: false })).failure).toMatchObject(again('A slot is still held'))
  })

  it.each([
    ['no organization', { ...deleted, organizationId: null }],
    ['another customer', { ...deleted, customerId: 'cus_2' }],
  ])('is not ours with %s', async (_, event) => {
    const { logged, unbound } = await play(event)
    expect([logged, unbound]).toEqual([ignored('customer.deleted', 'not ours'), []])
  })
})

it('An event of any other type is counted and left alone', async () => {
  const { logged, reads } = await play({ kind: 'other', type: 'charge.succeeded' })
  expect([logged, reads]).toEqual([ignored('charge.succeeded', 'not projected'), []])
})
