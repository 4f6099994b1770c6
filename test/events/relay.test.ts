import { describe, expect, it } from '@jest/globals'
import { CommonError } from '../../lib/core/errors.ts'
import { organizationIdSchema } from '../../lib/core/ids.ts'
import type { EventDraft, StoredEvent } from '../../lib/events/event.ts'
import type { Endpoint, Outbox } from '../../lib/events/ports.ts'
import { orderEvents } from '../../lib/events/relay/orderEvents.ts'
import { relayEvents } from '../../lib/events/relay/relayEvents.ts'
import { relayBatch, relayWaiting } from '../../lib/events/relay/relayRuns.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { createOutboxInMemory } from './inMemoryOutbox.ts'

const organizationId = organizationIdSchema.parse('11111111-1111-4111-8111-111111111111')
const other = organizationIdSchema.parse('22222222-2222-4222-8222-222222222222')
const at = Date.UTC(2026, 10, 28)

function draft(subject: string, revision: number, more: Partial<EventDraft> = {}): EventDraft {
  const id = `evt_${subject}_${revision}_${more.organizationId ?? organizationId}`
  return { organizationId, id, type: 'entitlement.changed', at: at + revision, subject, revision, data: {}, ...more }
}

function endpoint(id: string, more: Partial<Endpoint> = {}): Endpoint {
  const rest = { url: 'https://example.com', description: '', disabledReason: null, createdAt: at }
  return { owner: organizationId, id, eventTypes: null, enabled: true, ...rest, ...more }
}

/** What a store does with a call: nothing but fail, or write and lose the answer. */
type Fault = 'fails' | 'answer_lost'

/** The outbox in memory: a call is an instant. `faults` says what goes wrong at which call; `before` runs ahead of each. */
function createWorld(waiting: EventDraft[], { endpoints = [endpoint('own')] }: { endpoints?: Endpoint[] } = {}) {
  const { outbox, events, deliveries } = createOutboxInMemory(waiting)
  const faults = new Map<number, Fault>()
  const before: ((call: number) => Promise<void>)[] = []
  let calls = 0
  const call = async <Result>(act: () => Promise<Result> | Result): Promise<Result> => {
    calls += 1
    const number = calls
    for (const each of before) await each(number)
    const fault = faults.get(number)
    if (fault === 'fails') throw new CommonError('service_unavailable')
    const result = await act()
    if (fault === 'answer_lost') throw new CommonError('service_unavailable')
    return result
  }
  const logged: string[] = []
  const logger: Logger = { info: () => {}, warn: () => {}, error: (...[message]) => void logged.push(message) }
  const deps = {
    outbox: {
      read: (id) => call(() => outbox.read(id)),
      relay: (...event) => call(() => outbox.relay(...event)),
      listWaiting: (before) => call(() => outbox.listWaiting(before)),
    } satisfies Outbox,
    endpoints: { list: (owner: Endpoint['owner']) => call(() => endpoints.filter((each) => each.owner === owner)) },
    ids: { uuid: () => `d${deliveries.length}` },
    clock: { now: () => at, sync: async () => {} },
    logger,
  }
  return { deps, events, deliveries, faults, before, waiting, logged, calls: () => calls }
}

const inOrder = (events: readonly StoredEvent[]) => events.map(({ id, sequence }) => [id, sequence])

describe('The order of waiting events', () => {
  it('is by time, and within a subject by revision, whatever the clocks say', () => {
    const drafts = [
      draft('b', 1, { at: 5 }),
      draft('a', 3, { at: 1 }),
      draft('a', 2, { at: 9 }),
      draft('c', 1, { at: 7 }),
    ]
    const expected = ['a 2', 'b 1', 'c 1', 'a 3']
    expect(orderEvents(drafts).map(({ subject, revision }) => `${subject} ${revision}`)).toEqual(expected)
    expect(orderEvents(drafts.toReversed())).toEqual(orderEvents(drafts))
  })
})

describe('The relay', () => {
  it('numbers events from 1 without a gap, and goes on where it was', async () => {
    const { deps, events, waiting } = createWorld([draft('a', 2), draft('a', 1)])
    expect(await relayEvents(deps, organizationId)).toBe(2)
    waiting.push(draft('a', 3))
    expect(await relayEvents(deps, organizationId)).toBe(1)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { id: draft('a', 1).id, sequence: 1, organization_id: organizationId },
      { id: draft('a', 2).id, sequence: 2 },
      { id: draft('a', 3).id, sequence: 3 },
    ])
  })

  it('makes a delivery for each endpoint of the organization and of the operator that wants the type', async () => {
    const endpoints = [
      endpoint('all'),
      endpoint('wanted', { owner: 'operator', eventTypes: ['entitlement.changed'] }),
      endpoint('unwanted', { eventTypes: ['member.added'] }),
      endpoint('disabled', { enabled: false }),
      endpoint('foreign', { owner: other }),
    ]
    const { deps, deliveries } = createWorld([draft('a', 1)], { endpoints })
    await relayEvents(deps, organizationId)
    expect(deliveries.map(({ endpointId, owner }) => [endpointId, owner])).toEqual([
      ['all', organizationId],
      ['wanted', 'operator'],
    ])
    expect(deliveries[0]).toMatchObject({
      eventId: draft('a', 1).id,
      event: { organizationId, sequence: 1 },
      status: 'pending',
      attempts: 0,
    })
  })

  const plain = async () => {
    const world = createWorld([draft('a', 1), draft('a', 2)])
    await relayEvents(world.deps, organizationId)
    return world.calls()
  }

  it.each(['fails', 'answer_lost'] as const)('loses and doubles nothing if any of its calls %s', async (fault) => {
    const calls = await plain()
    expect(calls).toBe(5)
    for (let at = 1; at <= calls; at += 1) {
      const world = createWorld([draft('a', 1), draft('a', 2)])
      world.faults.set(at, fault)
      await expect(relayEvents(world.deps, organizationId)).rejects.toThrow('service_unavailable')
      await relayEvents(world.deps, organizationId)
      expect([at, inOrder(world.events)]).toEqual([
        at,
        [
          [draft('a', 1).id, 1],
          [draft('a', 2).id, 2],
        ],
      ])
      expect(world.deliveries.map(({ eventId }) => eventId)).toEqual(world.events.map(({ id }) => id))
    }
  })

  it('gives each event one number if another relay works before any of its calls', async () => {
    const calls = await plain()
    for (let at = 1; at <= calls; at += 1) {
      const world = createWorld([draft('a', 1), draft('a', 2)])
      let isFirst = true
      world.before.push(async (number) => {
        if (!isFirst || number !== at) return
        isFirst = false
        world.waiting.push(draft('a', 3))
        await relayEvents(world.deps, organizationId)
      })
      await relayEvents(world.deps, organizationId)
      await relayEvents(world.deps, organizationId)
      expect([at, inOrder(world.events)]).toEqual([at, [1, 2, 3].map((n) => [draft('a', n).id, n])])
    }
  })
})

describe('A run of the relay', () => {
  // [catch relayRuns.tryRelay]
  it('does every organization that waits, and counts those that it could not do', async () => {
    const world = createWorld([draft('a', 1), draft('a', 1, { organizationId: other })])
    // The list of organizations, and then the first organization’s outbox.
    world.faults.set(2, 'fails')
    expect(await relayWaiting(world.deps, at + 1)).toEqual({ relayed: 1, failed: 1 })
    expect(world.logged).toEqual(['Events not relayed'])
    expect(await relayWaiting(world.deps, at + 1)).toEqual({ relayed: 1, failed: 0 })
  })

  it('begins nothing when its time is over', async () => {
    const world = createWorld([draft('a', 1)])
    expect(await relayWaiting(world.deps, at)).toEqual({ relayed: 0, failed: 0 })
    expect(await relayBatch(world.deps, [{ id: '1', organizationId }], at)).toHaveLength(1)
  })

  it('reports the items of a batch whose organization failed, and no others', async () => {
    const world = createWorld([draft('a', 1), draft('a', 2), draft('a', 1, { organizationId: other })])
    const item = (id: string, of: typeof organizationId) => ({ id, organizationId: of })
    const batch = [item('1', organizationId), item('2', other), item('3', organizationId)]
    world.faults.set(1, 'fails')
    expect(await relayBatch(world.deps, batch, at + 1)).toEqual([batch[0], batch[2]])
    expect(world.events.map((event) => event.organizationId)).toEqual([other])
  })
})
