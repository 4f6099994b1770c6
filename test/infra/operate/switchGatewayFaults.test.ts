import { describe, expect, it } from '@jest/globals'
import type { PaymentTerms } from '../../../lib/billing/slot/ports.ts'
import { isFree } from '../../../lib/billing/slot/slot.ts'
import { awaitsByCard } from '../../proof/world/faults/awaitsByCard.ts'
import { createGate, type Enter, type Passage, type PortCall } from '../../proof/world/orders/gate.ts'
import { Covered, searchSchedules } from '../../proof/world/schedules/scheduleSearch.ts'
import { attempt, plainFaults } from '../../support/attempt.ts'
import { card, invoice, openSwitching, type Switching } from './switchingOrganization.ts'

const sooner = { ...invoice, daysUntilDue: 14 }

/** What can happen to one call, and what may come between it and the one before. */
const faults: Readonly<Record<string, (call: PortCall, one: Switching) => Promise<Passage>>> = {
  ...plainFaults,
  async 'overtaken by a purchase'(call, one) {
    await one.buy(['base_ota'])
    return attempt(call.effect)
  },
  async 'overtaken by another switch'(call, one) {
    await one.switchTo(sooner)
    return attempt(call.effect)
  },
}

type Act = (one: Switching, enter: Enter) => Promise<unknown>
const switchTo =
  (to: PaymentTerms): Act =>
  async (one, enter) =>
    (await one.switchTo(to, {}, one.depsOf(enter))).kind
const buy =
  (...codes: string[]): Act =>
  async (one, enter) =>
    (await one.buy(codes, {}, one.depsOf(enter))).join()

/** Plays one act, with a fault at one of its calls. @returns the names of its calls */
async function playWith(one: Switching, act: Act, fault?: { at: string; kind: string }): Promise<string[]> {
  const calls: string[] = []
  const gate = createGate(async (call) => {
    const name = call.name.replace(/^\d+\//, '')
    calls.push(name)
    return (fault?.at === name && faults[fault.kind]?.(call, one)) || attempt(call.effect)
  })
  await gate.run([(enter) => act(one, enter)])
  return calls
}

async function open(from: PaymentTerms): Promise<Switching> {
  const one = await openSwitching()
  await one.openCustomer()
  if (from.gateway === 'invoice') await one.switchTo(from)
  return one
}

const moves = ['records.readSlots#1', 'cipher.decrypt#1', 'gateway.fetchCustomer#1']
const listed = ['listing.listCustomerSubscriptions#1', 'records.switchGateway#1']
const details = (decrypted: number) => [`cipher.decrypt#${decrypted}`, 'gateway.fetchDetails#1']

/** The calls of every switch; a new one fails here until it is named. */
const switches: readonly { from: PaymentTerms; to: PaymentTerms; calls: readonly string[] }[] = [
  { from: card, to: invoice, calls: [...moves, ...listed, ...details(2)] },
  { from: invoice, to: card, calls: [...moves, ...listed] },
  { from: sooner, to: invoice, calls: ['records.readSlots#1', 'records.switchGateway#1', ...details(1)] },
]

describe.each(switches)('A switch from $from to $to', ({ from, to, calls }) => {
  it('makes these calls', async () => {
    expect(await playWith(await open(from), switchTo(to))).toEqual(calls)
  })

  const cases = calls.flatMap((at) => Object.keys(faults).map((kind) => [kind, at] as const))
  it.each(cases)(
    '%s at %s: leaves account, slots and audit log true, and a repetition comes to an end',
    async (kind, at) => {
      const one = await open(from)
      await playWith(one, switchTo(to), { kind, at })
      expect(await one.wrong()).toEqual([])
      const again = await one.switchTo(to)
      expect(await one.wrong()).toEqual([])
      const isHeld = one.records.save().slots.some((slot) => !isFree(slot))
      // What was bought meanwhile keeps the organization from being moved, whichever was first.
      if (!isHeld) expect(again.kind).toMatch(/^(done|unchanged)$/)
      else expect(kind).toBe('overtaken by a purchase')
      expect(one.switches().length).toBeLessThanOrEqual(kind === 'overtaken by another switch' ? 4 : 2)
    },
  )
})

describe('A checkout that meets a fault before a switch', () => {
  const calls = awaitsByCard['checkout of a returning buyer'] ?? []
  const kinds = Object.keys(faults).filter((kind) => kind !== 'overtaken by a purchase')

  it('makes these calls', async () => {
    expect(await playWith(await open(card), buy('base_ota'))).toEqual(calls)
  })

  it.each(calls.flatMap((at) => kinds.map((kind) => [kind, at] as const)))(
    '%s at %s: leaves no slot at another gateway than the account’s, also after a switch and a repetition',
    async (kind, at) => {
      const one = await open(card)
      await playWith(one, buy('base_ota'), { kind, at })
      expect(await one.wrong()).toEqual([])
      await one.switchTo(invoice)
      expect(await one.wrong()).toEqual([])
      one.clock.advance(60_000)
      expect(await one.buy(['base_ota'])).toEqual([expect.stringMatching(/^(bought active|already_subscribed)$/)])
      expect(await one.wrong()).toEqual([])
    },
  )
})

describe('A claim that crashed before it was read again, for terms that were changed just before it', () => {
  it.each([
    ['another gateway', card, invoice],
    ['other days', invoice, sooner],
  ])('of %s: is never sent, and bought on the new terms once it surely was not', async (_, from, to) => {
    const one = await open(from)
    const gate = createGate(async (call) => {
      if (call.name.endsWith('/records.readTogether#1')) return { kind: 'crash' }
      if (call.name.endsWith('/records.commit#1')) await one.switchTo(to)
      return attempt(call.effect)
    })
    await gate.run([(enter) => buy('base_ota')(one, enter)])
    expect(await one.account()).toMatchObject(to)
    expect(one.records.save().slots).toMatchObject([{ state: 'pending', claim: from }])
    one.clock.advance(46_000)
    expect(await one.buy(['base_ota'])).toEqual(['gateway_unavailable'])
    expect(one.books.sales.size).toBe(0)
    one.clock.advance(16 * 60_000)
    expect(await one.buy(['base_ota'])).toEqual(['bought active'])
    expect(one.books.sales.size).toBe(1)
    expect(one.records.save().slots).toMatchObject([{ gateway: to.gateway, n: 2 }])
    expect(await one.wrong()).toEqual([])
  })
})

/** Plays acts side by side in every order of their calls. @returns what they answered, each combination once, in their order */
async function everyOrder(from: PaymentTerms, acts: readonly Act[], preemptions = Number.POSITIVE_INFINITY) {
  const outcomes = new Set<string>()
  const wrong: string[] = []
  await searchSchedules({ preemptions, reduced: true }, async (choose) => {
    const one = await open(from)
    const gate = createGate((call) => attempt(call.effect))
    try {
      const endings = await gate.run(
        acts.map((act) => (enter: Enter) => act(one, enter)),
        choose,
      )
      outcomes.add(endings.map((ending) => (ending.kind === 'answered' ? ending.value : ending.kind)).join(' / '))
      wrong.push(...(await one.wrong()))
      return true
    } catch (error) {
      if (error instanceof Covered) return false
      throw error
    }
  })
  return { outcomes: [...outcomes].toSorted(), wrong }
}

describe('A switch beside other calls, in every order of them', () => {
  it.each([
    [card, invoice],
    [invoice, card],
  ])(
    'from %j to %j, a purchase is of the gateway that the account has in the end, or is not made',
    async (from, to) => {
      const { outcomes, wrong } = await everyOrder(from, [switchTo(to), buy('base_ota')])
      expect(wrong).toEqual([])
      expect(outcomes).toEqual(['done / bought active', 'done / gateway_unavailable', 'refused / bought active'])
    },
  )

  it('a cart of two is bought at one gateway', async () => {
    const { outcomes, wrong } = await everyOrder(card, [switchTo(invoice), buy('base_ota', 'addon_monitoring')])
    expect(wrong).toEqual([])
    expect(outcomes).toContain('done / gateway_unavailable,gateway_unavailable')
    expect(outcomes).toContain('refused / bought active,bought active')
  })

  it('of two switches one leaves what the other took', async () => {
    const { outcomes, wrong } = await everyOrder(card, [switchTo(invoice), switchTo(sooner)])
    expect(wrong).toEqual([])
    expect(outcomes).toEqual(['done / done', 'done / refused', 'refused / done'])
  })

  it('days that change beside a purchase are those of the purchase, or it is not made', async () => {
    const { outcomes, wrong } = await everyOrder(invoice, [switchTo(sooner), buy('base_ota')])
    expect(wrong).toEqual([])
    expect(outcomes).toEqual(['done / bought active', 'done / gateway_unavailable'])
  })

  it('two operators and a buyer, with at most two preemptions, leave everything true', async () => {
    const { outcomes, wrong } = await everyOrder(card, [switchTo(invoice), switchTo(sooner), buy('base_ota')], 2)
    expect(wrong).toEqual([])
    expect(outcomes).toContain('refused / refused / bought active')
  })
})
