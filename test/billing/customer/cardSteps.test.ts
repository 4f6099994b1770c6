import { describe, expect, it } from '@jest/globals'
import { removeCard } from '../../../lib/billing/customer/removeCard.ts'
import { setDefaultCard } from '../../../lib/billing/customer/setDefaultCard.ts'
import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { DefaultCard } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { BillingAccount } from '../../../lib/billing/slot/ports.ts'
import type { Slot } from '../../../lib/billing/slot/slot.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, caller, liveSlot, noon, ok, organizationId, pendingSlot, slot, unknown, userId } from '../fixtures.ts'

const notFound = { kind: 'refused', reason: 'not_found' } as const
const invalid = { kind: 'refused', reason: 'payment_method_invalid' } as const
const refused = { kind: 'refused', reason: 'other' } as const
const two = { sub_1: 'pm_0', sub_2: 'pm_0' }
const incomplete = liveSlot({ state: 'incomplete' })

interface Given {
  slots?: readonly Slot[]
  /** What the customer's subscriptions are paid with; it changes as they are moved. */
  own?: Readonly<Record<string, string | null>>
  defaultId?: string | null
  because?: 'set_up' | 'paid'
  /** The customer's default card at one look after the other; the last one stays. */
  defaults?: readonly (string | null | DefaultCard)[]
  moved?: (id: string, card: string | null) => GatewayAnswer<null>
  /** What is answered when a card is made the default, at one write after the other; the last one stays. */
  chosen?: GatewayAnswer<DefaultCard> | readonly GatewayAnswer<DefaultCard>[]
  removed?: GatewayAnswer<null>
  /** What becomes of the fence at one try after the other; it is written where nothing is said. */
  fences?: readonly ('written' | 'conflict')[]
  /** Thrown when the fence is to be ended. */
  unfenced?: Error
  account?: Partial<BillingAccount>
  /** Whether the card is still the customer's at a second look. */
  left?: boolean
  /** The cards that have paid, in the order of their first payments. */
  paid?: readonly string[]
}

/** The gateway with the card `pm_1`, and every call to it that writes. */
function cardsGiven(given: Given) {
  const {
    slots = [liveSlot()],
    because,
    defaultId = 'pm_0',
    defaults = ['pm_1'],
    left = false,
    paid = ['pm_1', 'pm_0'],
  } = given
  const own = { ...(given.own ?? { sub_1: 'pm_0' }) }
  const calls: string[] = []
  let [fetched, looked] = [0, 0]
  const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2030, isDefault: defaultId === 'pm_1' }
  const bound = { ...account, customer: { cipher: 'c', digest: 'd' }, ...given.account }
  const fences = [...(given.fences ?? [])]
  const chosen = [given.chosen ?? []].flat()
  const write = <Value>(name: string, answer: GatewayAnswer<Value>) => {
    calls.push(name)
    return Promise.resolve(answer)
  }
  const entries: string[] = []
  const fake = fakeBilling({
    records: {
      read: async () => ({ role: 'owner', account: bound, slots }),
      fenceCards: async (_, { length }, { until, card: fenced }) => {
        calls.push(`fence ${length} for ${fenced} until +${until / 1000 - noon}`)
        return fences.shift() ?? 'written'
      },
      unfenceCards: async (_, { owner }) => {
        calls.push(`unfence ${owner}`)
        if (given.unfenced) throw given.unfenced
      },
      recordAccountChange: async (_, { of, value }, { action, actor, target }) => {
        entries.push(`${of} ${value}: ${action} ${target} by ${actor.type} ${actor.id} after ${calls.at(-1)}`)
      },
    },
    gateway: {
      fetchCard: async () => {
        fetched += 1
        return ok(fetched === 1 || left ? { card, defaultId, ...(because && { because }) } : null)
      },
      fetchDefaultCard: async () => {
        looked += 1
        const found = defaults[Math.min(looked, defaults.length) - 1] ?? null
        return ok(typeof found === 'string' || found === null ? { id: found } : found)
      },
      setDefaultCard: async (_, id, because) =>
        write(
          `default ${id}${because ? ` ${because.kind}` : ''}`,
          (chosen.length > 1 ? chosen.shift() : chosen[0]) ?? ok({ id }),
        ),
      listPaidCards: async () => ok(paid),
      setPaymentMethod: async (id, card) => {
        const answer = given.moved?.(id, card) ?? ok(null)
        if (answer.kind === 'ok') own[id] = card
        return write(`${id} ${card}`, answer)
      },
      listOwnCards: async () =>
        ok(Object.entries(own).map(([subscriptionId, paymentMethodId]) => ({ subscriptionId, paymentMethodId }))),
      removeCard: async (id) => write(`remove ${id}`, given.removed ?? ok(null)),
    },
  })
  const deps = { ...fake, cipher: { ...fake.cipher, decrypt: async () => 'cus_1' } }
  return { deps, calls, entries }
}

const request = { organizationId, caller, paymentMethodId: 'pm_1' }

async function defaultGiven(given: Given) {
  const { deps, ...seen } = cardsGiven(given)
  return { result: await setDefaultCard(deps, request).catch((error: unknown) => error), ...seen }
}

async function removeGiven(given: Given) {
  const { deps, ...seen } = cardsGiven(given)
  return { result: await removeCard(deps, request).catch((error: unknown) => error), ...seen }
}

describe('setDefaultCard', () => {
  it('moves the customer first and each of its subscriptions after, but for one that has the card already', async () => {
    const { result, calls } = await defaultGiven({ own: { sub_1: 'pm_0', sub_2: null, sub_3: 'pm_1' } })
    expect(calls).toEqual(['default pm_1 chosen', 'sub_1 pm_1', 'sub_2 pm_1'])
    expect(result).toMatchObject({ id: 'pm_1', isDefault: true })
  })

  it('is in the audit log once the customer is moved, also where a subscription is not, and not where it was refused', async () => {
    const entry = `default_card pm_1: payment_method.default_changed pm_1 by user ${userId} after default pm_1 chosen`
    expect((await defaultGiven({})).entries).toEqual([entry])
    expect((await defaultGiven({ moved: () => unknown })).entries).toEqual([entry])
    for (const chosen of [refused, unknown, invalid]) expect((await defaultGiven({ chosen })).entries).toEqual([])
  })

  it('follows another request that made another card the default, until nothing changes', async () => {
    const { result, calls } = await defaultGiven({ defaults: ['pm_2'] })
    expect(calls).toEqual(['default pm_1 chosen', 'sub_1 pm_1', 'sub_1 pm_2'])
    expect(result).toMatchObject({ id: 'pm_1', isDefault: false })
  })

  it('restores its choice where another writer has overwritten it, unless the card is gone since', async () => {
    const defaults = [{ id: 'pm_9', chosen: { id: 'pm_1', at: noon * 1000 } }, 'pm_1']
    const { result, calls } = await defaultGiven({ defaults })
    expect([calls, result]).toMatchObject([['default pm_1 chosen', 'sub_1 pm_1', 'default pm_1'], { isDefault: true }])
    const gone = await defaultGiven({ defaults: defaults.slice(0, 1), chosen: [ok({ id: 'pm_1' }), invalid] })
    expect(gone.calls).toEqual(['default pm_1 chosen', 'sub_1 pm_1', 'default pm_1', 'sub_1 pm_9', 'default pm_1'])
    expect(gone.result).toMatchObject({ isDefault: false })
  })

  it('throws gateway_unavailable where the default keeps changing', async () => {
    const { result } = await defaultGiven({ defaults: ['pm_2', 'pm_3', 'pm_4', 'pm_5', 'pm_6'] })
    expect(result).toMatchObject({ code: 'gateway_unavailable' })
  })

  it('leaves a subscription that has ended', async () => {
    expect((await defaultGiven({ moved: () => notFound })).result).toMatchObject({ isDefault: true })
  })

  it.each([
    ['before it is chosen', { chosen: invalid }],
    ['before a subscription is moved', { moved: () => invalid, defaults: [null] }],
    ['after that', { defaults: [null] }],
  ] as const)('throws payment_method_not_found where it is removed %s', async (_, given) => {
    expect((await defaultGiven(given)).result).toMatchObject({ code: 'payment_method_not_found' })
  })

  it.each([
    [unknown, 'gateway_unavailable'],
    [refused, 'gateway_refused'],
  ] as const)('throws and goes no further where the answer is %j', async (answer, code) => {
    expect(await defaultGiven({ chosen: answer })).toMatchObject({ result: { code }, calls: ['default pm_1 chosen'] })
    expect(await defaultGiven({ own: two, moved: () => answer })).toMatchObject({
      result: { code },
      calls: ['default pm_1 chosen', 'sub_1 pm_1'],
    })
  })
})

describe('removeCard', () => {
  const fence = 'fence 1 for pm_1 until +45'
  const unfence = 'unfence uuid'
  const own = { sub_1: 'pm_1', sub_2: 'pm_1', sub_3: 'pm_0', sub_4: null }

  it('moves each subscription that it pays for to the default, then removes it, and mends the default', async () => {
    const moved = [fence, 'sub_1 pm_0', 'sub_2 pm_0', 'remove pm_1']
    expect((await removeGiven({ own, defaults: ['pm_0'] })).calls).toEqual([...moved, unfence])
    const mended = await removeGiven({ own, defaults: [null] })
    expect(mended.calls).toEqual([...moved, 'default pm_0 set_up', unfence])
  })

  it('moves them to the first other card that has paid, if the default has not', async () => {
    const { calls } = await removeGiven({ own, defaults: ['pm_0'], paid: ['pm_1', 'pm_2', 'pm_3'] })
    expect(calls).toEqual([fence, 'sub_1 pm_2', 'sub_2 pm_2', 'remove pm_1', unfence])
  })

  it('makes that card the default before anything is moved, if the default is removed', async () => {
    const defaults = [{ id: 'pm_2', because: 'paid' as const }]
    const given = { defaultId: 'pm_1', own, defaults, paid: ['pm_2', 'pm_1', 'pm_0'] }
    const { calls, entries } = await removeGiven(given)
    expect(calls).toEqual([fence, 'default pm_2 paid', 'sub_1 pm_2', 'sub_2 pm_2', 'remove pm_1', unfence])
    const by = `by user ${userId} after`
    expect(entries).toEqual([
      `default_card pm_2: payment_method.default_changed pm_2 ${by} default pm_2 paid`,
      `removed_card pm_1: payment_method.removed pm_1 ${by} remove pm_1`,
    ])
    expect(await removeGiven({ ...given, chosen: unknown })).toMatchObject({
      result: { code: 'gateway_unavailable' },
      calls: [fence, 'default pm_2 paid'],
    })
  })

  it('writes down before the removal what an earlier try made the default without an answer', async () => {
    const given = { defaultId: 'pm_2', because: 'paid' as const, own, paid: ['pm_2', 'pm_1', 'pm_0'] }
    const { entries } = await removeGiven({ ...given, defaults: ['pm_2'] })
    expect(entries).toEqual([
      expect.stringMatching(/^default_card pm_2: payment_method\.default_changed pm_2 by user \S+ after fence/),
      expect.stringMatching(/^removed_card pm_1: payment_method\.removed pm_1 by user \S+ after remove pm_1$/),
    ])
  })

  it('restores what another request chose while it mended the default', async () => {
    const chosen = [ok({ id: 'pm_0', chosen: { id: 'pm_2', at: noon * 1000 } }), ok({ id: 'pm_2' })]
    const { calls } = await removeGiven({ own: {}, defaults: [null], chosen })
    expect(calls).toEqual([fence, 'remove pm_1', 'default pm_0 set_up', 'default pm_2', unfence])
  })

  const neverPaid = { paid: ['pm_1'] }
  it.each([
    ['the default card beside a subscription', { ...neverPaid, defaultId: 'pm_1' }],
    ['a card beside a default that never paid', { ...neverPaid, own: { sub_1: 'pm_1' } }],
    [
      'the default card beside a purchase under way',
      { ...neverPaid, defaultId: 'pm_1', slots: [pendingSlot()], own: {} },
    ],
    ['the default card beside an unpaid purchase', { ...neverPaid, defaultId: 'pm_1', slots: [incomplete], own: {} }],
    ['a card beside a purchase under way, which may name it', { ...neverPaid, slots: [pendingSlot()], own: {} }],
    [
      'the default card beside a subscription that no slot has',
      { ...neverPaid, defaultId: 'pm_1', slots: [], own: { sub_9: null } },
    ],
  ])('throws payment_method_in_use for %s, and ends the fence', async (_, given) => {
    const { result, calls } = await removeGiven(given)
    expect(result).toMatchObject({ code: 'payment_method_in_use' })
    expect(calls).toEqual([expect.stringMatching(/^fence/), unfence])
  })

  it.each([
    ['another card', { sub_1: 'pm_0' }],
    ['the default', { sub_1: null }],
  ])('removes a card that pays for nothing though no other has paid: %s pays', async (_, own) => {
    for (const slots of [[liveSlot()], [incomplete]]) {
      const { result, calls } = await removeGiven({ paid: [], defaults: ['pm_0'], slots, own })
      expect([result, calls]).toEqual([undefined, [fence, 'remove pm_1', unfence]])
    }
  })

  it('mends the default if a card that paid for nothing became it meanwhile', async () => {
    const { calls } = await removeGiven({ paid: [], own: { sub_1: null }, defaults: [null] })
    expect(calls).toEqual([fence, 'remove pm_1', 'default pm_0 set_up', unfence])
  })

  it('removes a card that is not the default beside an unpaid purchase, though no other has paid', async () => {
    const { calls } = await removeGiven({ ...neverPaid, slots: [incomplete], own: {} })
    expect(calls).toEqual([fence, 'remove pm_1', unfence])
  })

  const last = { ...neverPaid, defaultId: 'pm_1', slots: [slot()], own: {} }

  it('fences purchases off, and ends the fence once the card is gone', async () => {
    const { calls } = await removeGiven(last)
    expect(calls).toEqual([fence, 'remove pm_1', unfence])
    expect((await removeGiven({ ...last, removed: refused, left: true })).calls.at(-1)).toBe(unfence)
  })

  // [catch removeCard.removeFenced] [catch removeCard.removeFenced#2]
  it('leaves the fence where the removal may still arrive, or the store is away', async () => {
    expect((await removeGiven({ ...last, removed: unknown })).calls).toEqual([fence, 'remove pm_1'])
    const away = await removeGiven({ ...last, unfenced: new CommonError('service_unavailable') })
    expect(away).toMatchObject({ result: undefined, calls: [fence, 'remove pm_1', unfence] })
  })

  it('waits for the removal of another card to end, and not for its own', async () => {
    const cardFence = { owner: 'other', until: noon * 1000 + 1, card: 'pm_0' }
    for (const other of [cardFence, { owner: 'other', until: cardFence.until }])
      expect(await removeGiven({ account: { cardFence: other } })).toMatchObject({
        result: { code: 'gateway_unavailable' },
        calls: [],
      })
    const ended = { cardFence: { ...cardFence, until: noon * 1000 } }
    expect((await removeGiven({ ...last, account: ended })).calls.at(-1)).toBe(unfence)
    const again = { ...last, account: { cardFence: { ...cardFence, card: 'pm_1' } } }
    expect((await removeGiven(again)).calls).toEqual([fence, 'remove pm_1', unfence])
    expect((await removeGiven({ ...again, removed: refused })).calls.at(-1)).toBe(unfence)
    // The other request may still be removing it.
    expect((await removeGiven({ ...again, removed: refused, left: true })).calls.at(-1)).toBe('remove pm_1')
  })

  it('looks again where a slot was written before the fence, three times at most', async () => {
    const again = await removeGiven({ ...last, left: true, fences: ['conflict', 'conflict'] })
    expect(again.calls).toEqual([...Array<string>(3).fill(fence), 'remove pm_1', unfence])
    const never = await removeGiven({ ...last, left: true, fences: ['conflict', 'conflict', 'conflict'] })
    expect(never).toMatchObject({ result: { code: 'gateway_unavailable' } })
    expect(never.calls).not.toContain('remove pm_1')
  })

  it('is in the audit log once it is removed, and not where it was refused', async () => {
    const entry = `removed_card pm_1: payment_method.removed pm_1 by user ${userId} after remove pm_1`
    expect((await removeGiven({})).entries).toEqual([entry])
    for (const removed of [refused, unknown]) expect((await removeGiven({ removed })).entries).toEqual([])
    expect((await removeGiven({ moved: () => unknown, own: { sub_1: 'pm_1' } })).entries).toEqual([])
  })

  it('removes nothing where a subscription could not be moved, unless that has ended', async () => {
    const own = { sub_1: 'pm_1' }
    expect(await removeGiven({ own, moved: () => unknown })).toMatchObject({
      result: { code: 'gateway_unavailable' },
      calls: [fence, 'sub_1 pm_0'],
    })
    expect((await removeGiven({ own, moved: () => notFound })).calls).toContain('remove pm_1')
  })

  it('throws payment_method_not_found where another request removed it first, and else what the gateway answered', async () => {
    expect((await removeGiven({ removed: refused })).result).toMatchObject({ code: 'payment_method_not_found' })
    expect((await removeGiven({ removed: refused, left: true })).result).toMatchObject({ code: 'gateway_refused' })
    expect((await removeGiven({ removed: unknown })).result).toMatchObject({ code: 'gateway_unavailable' })
  })
})
