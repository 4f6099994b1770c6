import { describe, expect, it } from '@jest/globals'
import { claimWanted } from '../../../../lib/billing/checkout/claimLines.ts'
import { requestHash, takeOver as takeOverFor, type WantedLine } from '../../../../lib/billing/checkout/holdSlot.ts'
import type { Coupon } from '../../../../lib/billing/gateway/gatewayPorts.ts'
import type { BillingAccount, BillingRecords, Conflict, PaymentTerms } from '../../../../lib/billing/slot/ports.ts'
import { emptySlot, type Slot } from '../../../../lib/billing/slot/slot.ts'
import { CommonError } from '../../../../lib/core/errors.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, claimAt, liveSlot, noon, organizationId, pendingSlot, slot, userId } from '../../fixtures.ts'
import type { GatewayCalls } from '../../gatewayCalls.ts'
import { checkoutContext, memoryRecords } from '../../memoryRecords.ts'

const now = noon * 1000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const price = { id: 'price_1', gatewayProductId: 'prod_1', currency: 'usd' }
const coupon: Coupon = {
  id: 'coupon-1',
  code: 'CODE',
  promotionCodeId: null,
  gatewayProductIds: null,
  currency: null,
  mayCoverAll: false,
}

const free = slot({ state: 'canceled' })
const want = (wanted: Slot = free, code = 'base_ota') => ({ kind: 'claim', code, slot: wanted, price }) as const
const other = emptySlot(organizationId, 'monitoring')
const takeOver = (wanted: Slot) => ({ kind: 'take_over', code: 'base_ota', slot: wanted }) as const

/** Claims lines with a card, in a store that holds these slots. */
async function claimIn(
  stored: readonly Slot[],
  wanted: readonly WantedLine[],
  withCoupon?: Coupon,
  couponCode?: string,
  given: Partial<BillingRecords> = {},
) {
  const records = memoryRecords(stored)
  const frozen: Parameters<GatewayCalls['freezeSubscription']>[0][] = []
  const freezeSubscription: GatewayCalls['freezeSubscription'] = (request) => {
    frozen.push(request)
    return 'frozen'
  }
  const deps = fakeBilling({ records: { ...records, ...given }, gateway: { freezeSubscription } })
  const results = await claimWanted(checkoutContext(deps, { paymentMethodId: 'pm_1', couponCode }), wanted, withCoupon)
  return { results, frozen, committed: records.committed, tries: records.tries, slots: records.slots() }
}

/** Claims lines with a coupon, in a store that returns this conflict to every write. */
async function claimAgainst(conflict: Partial<Conflict>, wanted: readonly WantedLine[] = [want()]) {
  let tries = 0
  const commit = async () => {
    tries += 1
    return { slot: undefined, couponTaken: false, accountChanged: false, ...conflict }
  }
  const deps = fakeBilling({ records: { commit }, gateway: { freezeSubscription: () => 'frozen' } })
  return { results: await claimWanted(checkoutContext(deps), wanted, coupon), tries }
}

const lost = (code: string, error: string) => ({ kind: 'answered', line: { ok: false, productCode: code, error } })

describe('claimLines', () => {
  describe('Given a new purchase', () => {
    it('writes nothing for no line', async () => {
      expect(await claimIn([], [])).toMatchObject({ results: [], tries: 0 })
    })

    it('writes a free slot as pending under a new purchase number, with the request that will be sent', async () => {
      const { results, frozen, committed } = await claimIn([free], [want()])
      const hash = requestHash({ paymentMethodId: 'pm_1', couponCode: undefined })
      const claim = claimAt(now, { owner: 'uuid', frozenRequest: 'frozen', requestHash: hash })
      const next = { ...free, state: 'pending', gateway: 'card', n: 2, rev: 4, claim }
      const line = { code: 'base_ota', slot: next, mode: 'send', same: true, sentBefore: now }
      expect(results).toEqual([{ kind: 'held', line }])
      expect(committed).toEqual([{ next }])
      const purchase = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: 2, user_id: userId }
      expect(frozen).toEqual([{ price, paymentMethodId: 'pm_1', coupon: undefined, purchase }])
    })

    it('keeps the ended subscription in the slot', async () => {
      const { subscription } = liveSlot()
      const remembered = { ...free, ...(subscription && { subscription }) }
      const { committed } = await claimIn([remembered], [want(remembered)])
      expect(committed).toMatchObject([{ next: { subscription } }])
    })

    it('reserves the coupon for this user in the same write', async () => {
      const { frozen, committed } = await claimIn([free], [want()], coupon)
      const applied = { id: 'coupon-1', code: 'CODE', userId }
      expect(committed).toMatchObject([
        { next: { coupon: applied }, redemption: { coupon: applied, change: 'reserve' } },
      ])
      expect(frozen).toMatchObject([{ coupon }])
    })

    it('claims each line in a write of its own', async () => {
      const { results, tries, committed } = await claimIn([free], [want(), want(other, 'addon_monitoring')])
      expect(results.map(({ kind }) => kind)).toEqual(['held', 'held'])
      expect([tries, committed.length]).toEqual([2, 2])
    })
  })

  describe('Given a pending purchase to take over', () => {
    function pendingSince(age: number) {
      const slot = pendingSlot()
      if (!slot.claim) throw new Error('A pending slot has a claim')
      const times = { firstSent: now - age, lastSent: now - age, leaseUntil: 0 }
      return { ...slot, claim: { ...slot.claim, ...times, requestHash: hashOf('pm_1', 'HALF') } }
    }
    const hashOf = (paymentMethodId?: string, couponCode?: string) => requestHash({ paymentMethodId, couponCode })

    it.each([
      ['replays it before 20 h, and records now as its last sending', 20 * HOUR - 1, 'replay', now, MINUTE],
      ['only looks it up from 20 h on, and keeps its last sending', 20 * HOUR, 'look_up', now - 20 * HOUR, 4 * HOUR],
    ] as const)('%s', async (_, age, mode, lastSent, sweepIn) => {
      const pending = pendingSince(age)
      const { results, frozen, committed } = await claimIn([pending], [takeOver(pending)], undefined, 'HALF')
      const lease = { owner: 'uuid', leaseUntil: now + 45_000, lastSent, nextSweepAt: now + sweepIn }
      const next = { ...pending, rev: 4, claim: { ...pending.claim, ...lease } }
      const line = { code: 'base_ota', slot: next, mode, same: true, sentBefore: now - age }
      expect(results).toEqual([{ kind: 'held', line }])
      expect(committed).toEqual([{ next }])
      expect(frozen).toEqual([])
    })

    // [bug 3]
    it.each<[string, string | null]>([
      ['another card', hashOf('pm_2', 'HALF')],
      ['no card', hashOf(undefined, 'HALF')],
      ['another coupon', hashOf('pm_1', 'FREE')],
      ['no coupon', hashOf('pm_1')],
      ['nothing, as a cancellation and the sweeper do', null],
    ])('only looks it up for a request that names %s, and does not count that as a sending', (_, hash) => {
      const slot = pendingSince(MINUTE)
      const asked = hash === null ? null : { hash, terms: account }
      const taken = takeOverFor({ code: 'base_ota', slot }, { owner: 'uuid', now }, asked)
      expect(taken).toMatchObject({ mode: 'look_up', same: false, slot: { claim: { lastSent: now - MINUTE } } })
    })

    it('only looks it up after a stored failure was seen under its key', () => {
      const since = pendingSince(MINUTE)
      const slot = { ...since, claim: { ...since.claim, savedAt: now - MINUTE } }
      const asked = { hash: hashOf('pm_1', 'HALF'), terms: account }
      const taken = takeOverFor({ code: 'base_ota', slot }, { owner: 'uuid', now }, asked)
      expect(taken).toMatchObject({ mode: 'look_up', same: true, slot: { claim: { lastSent: now - MINUTE } } })
    })

    it.each<[string, PaymentTerms]>([
      ['another gateway', { gateway: 'invoice', daysUntilDue: 30 }],
      ['other terms', { gateway: 'card', daysUntilDue: 14 }],
    ])('only looks it up for an organization that pays by %s than its claim', (_, terms) => {
      const slot = pendingSince(MINUTE)
      const asked = { hash: hashOf('pm_1', 'HALF'), terms }
      const taken = takeOverFor({ code: 'base_ota', slot }, { owner: 'uuid', now }, asked)
      expect(taken).toMatchObject({ mode: 'look_up', same: true, slot: { claim: { lastSent: now - MINUTE } } })
    })

    it('throws for a pending slot without a claim, which the service never writes', async () => {
      const { claim: _, ...broken } = pendingSlot()
      await expect(claimIn([broken], [takeOver(broken)])).rejects.toThrow('A pending slot has a claim')
    })
  })

  describe('Given another writer that was faster', () => {
    it.each([
      ['holds the slot', pendingSlot({ rev: 4, n: 2 }), 'checkout_in_progress'],
      ['bought the product', liveSlot({ rev: 5, n: 2 }), 'already_subscribed'],
      ['released the slot again', slot({ state: 'canceled', rev: 6, n: 2 }), 'checkout_in_progress'],
    ] as const)('refuses its line where it %s, and claims the other line', async (_, stored, error) => {
      const { results, tries } = await claimIn([stored], [want(), want(other, 'addon_monitoring')])
      expect(results).toMatchObject([lost('base_ota', error), { kind: 'held', line: { code: 'addon_monitoring' } }])
      expect(tries).toBe(2)
    })

    it.each([
      ['another purchase holds the coupon', { couponTaken: true }, 'coupon_already_redeemed'],
      [
        'the customer, the gateway or the terms were changed, so that it is sent again',
        { accountChanged: true },
        'gateway_unavailable',
      ],
    ])('refuses every line where %s', async (_, conflict, error) => {
      const { results, tries } = await claimAgainst(conflict, [want(), want(other, 'addon_monitoring')])
      expect(results).toMatchObject([lost('base_ota', error), lost('addon_monitoring', error)])
      expect(tries).toBe(2)
    })

    it('refuses the line after one try where the conflict names no slot', async () => {
      const { results, tries } = await claimAgainst({})
      expect(results).toMatchObject([lost('base_ota', 'checkout_in_progress')])
      expect(tries).toBe(1)
    })
  })

  describe('Given claims that are read again before they are sent', () => {
    const both = [want(), want(other, 'addon_monitoring')]
    const readAgain = (change: Partial<BillingAccount> | undefined) => ({
      readTogether: async () => ({
        account: change && { ...account, ...change },
        slots: [slot({ state: 'pending', n: 2, rev: 4 }), { ...other, state: 'pending', n: 1, rev: 1 } as const],
      }),
    })

    it('reads all of them once, and none where nothing was claimed', async () => {
      const reads: unknown[] = []
      const readTogether: BillingRecords['readTogether'] = async (...read) => {
        reads.push(read)
        return readAgain({}).readTogether()
      }
      const taken = pendingSlot({ rev: 9 })
      expect((await claimIn([free], both, undefined, undefined, { readTogether })).results).toMatchObject([
        { kind: 'held' },
        { kind: 'held' },
      ])
      await claimIn([taken], [want()], undefined, undefined, { readTogether })
      expect(reads).toEqual([[organizationId, ['ota', 'monitoring']]])
    })

    it('reads none whose coupon was reserved with it, for that transaction checks the account', async () => {
      const accounts: unknown[] = []
      const commit: BillingRecords['commit'] = async (_, checked) => {
        accounts.push(checked)
        return null
      }
      const readTogether = async () => {
        throw new Error('readTogether was not expected')
      }
      const { results } = await claimIn([free], [want()], coupon, undefined, { commit, readTogether })
      expect(results).toMatchObject([{ kind: 'held' }])
      expect(accounts).toEqual([account])
    })

    it.each<[string, Partial<BillingAccount> | undefined]>([
      ['has had another customer since', { customerRev: 7 }],
      ['moved to another gateway', { gateway: 'invoice' }],
      ['pays on other terms', { daysUntilDue: 14 }],
      ['is being deleted', { isBeingDeleted: true }],
      ['has a card removed', { cardFence: { owner: 'other', until: now } }],
      ['is gone', undefined],
    ])('gives every one back where the organization %s, so that it is sent again', async (_, change) => {
      const { results, slots } = await claimIn([free], both, undefined, undefined, readAgain(change))
      const error = 'gateway_unavailable'
      expect(results).toMatchObject([lost('base_ota', error), lost('addon_monitoring', error)])
      expect(slots).toMatchObject([
        { state: 'none', n: 2, rev: 5 },
        { state: 'none', n: 1, rev: 2 },
      ])
    })

    it('takes one that was bound to its first customer meanwhile', async () => {
      const customer = { cipher: 'cipher', digest: 'digest' }
      const { results } = await claimIn([free], [want()], undefined, undefined, readAgain({ customer }))
      expect(results).toMatchObject([{ kind: 'held' }])
    })

    it('gives every one back where they cannot be read', async () => {
      const readTogether = async () => {
        throw new CommonError('service_unavailable')
      }
      const { results, slots } = await claimIn([free], both, undefined, undefined, { readTogether })
      const error = 'gateway_unavailable'
      expect(results).toMatchObject([lost('base_ota', error), lost('addon_monitoring', error)])
      expect(slots).toMatchObject([{ state: 'none' }, { state: 'none' }])
    })

    it('leaves one alone that another writer has by then, and holds the other', async () => {
      const taken = pendingSlot({ rev: 5, n: 2 })
      const readTogether = async () => ({ account, slots: [taken, { ...other, rev: 1 }] })
      const { results, tries } = await claimIn([free], both, undefined, undefined, { readTogether })
      expect(results).toMatchObject([lost('base_ota', 'checkout_in_progress'), { kind: 'held' }])
      expect(tries).toBe(2)
    })

    it('takes the lease of one that was taken over back, and counts no sending', async () => {
      const pending = pendingSlot()
      const { results, slots } = await claimIn([pending], [takeOver(pending)], undefined, undefined, {
        readTogether: async () => ({ account: { ...account, customerRev: 7 }, slots: [{ ...pending, rev: 4 }] }),
      })
      expect(results).toMatchObject([lost('base_ota', 'gateway_unavailable')])
      expect(slots).toMatchObject([
        { state: 'pending', rev: 5, claim: { leaseUntil: 0, lastSent: pending.claim?.lastSent } },
      ])
    })

    it('answers a line whose claim may not have been written, and sends the other', async () => {
      const records = memoryRecords([free])
      const commit: BillingRecords['commit'] = async (change) => {
        if (change.next.product === 'ota') throw new CommonError('service_unavailable')
        return records.commit(change)
      }
      const given = { commit, readTogether: records.readTogether }
      const { results } = await claimIn([free], both, undefined, undefined, given)
      expect(results).toMatchObject([lost('base_ota', 'gateway_unavailable'), { kind: 'held' }])
    })
  })
})
