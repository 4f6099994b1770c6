import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createEndpointListing } from '../../../lib/adapters/dynamodb/endpointStore.ts'
import { endpointCountKey, endpointKey } from '../../../lib/adapters/dynamodb/eventKeys.ts'
import { putEvent } from '../../../lib/adapters/dynamodb/eventStore.ts'
import { transactWrite } from '../../../lib/adapters/dynamodb/kit/transactWrite.ts'
import { putItem } from '../../../lib/adapters/dynamodb/kit/writeItem.ts'
import { createOutbox } from '../../../lib/adapters/dynamodb/outboxStore.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { EventDraft, StoredEvent } from '../../../lib/events/event.ts'
import { relayEvents } from '../../../lib/events/relay/relayEvents.ts'
import { openDocuments } from './dynamoDbTestBed.ts'

const organizationId = organizationIdSchema.parse('11111111-1111-4111-8111-111111111111')
const other = organizationIdSchema.parse('22222222-2222-4222-8222-222222222222')
const table = 'events'
const at = Date.UTC(2026, 10, 28)

function draft(revision: number, more: Partial<EventDraft> = {}): EventDraft {
  const rest = { type: 'entitlement.changed', at: at + revision, subject: 'slot:ota', data: { active: true } } as const
  return { organizationId, id: `evt_${revision}`, revision, ...rest, ...more }
}

const bed = await openDocuments()

const operatorsEndpoint = '33333333-3333-4333-8333-333333333333'

describe('The outbox on DynamoDB', () => {
  const announce = (event: EventDraft) => transactWrite(bed.client, { event: putEvent(table, event) })
  const ids = { uuid: () => '33333333-3333-4333-8333-333333333333' }
  const clock = { now: () => at, sync: async () => {} }
  const relay = (id: StoredEvent['organizationId']) =>
    relayEvents(
      { outbox: createOutbox(bed.client, table), endpoints: createEndpointListing(bed.client, table), ids, clock },
      id,
    )

  it('gives waiting events in order, numbers each once, and forgets that they waited', async () => {
    const outbox = createOutbox(bed.client, table)
    for (const revision of [10, 9, 100]) await announce(draft(revision))
    const { waiting, last } = await outbox.read(organizationId)
    expect([waiting.map(({ revision }) => revision), last]).toEqual([[9, 10, 100], 0])
    expect(waiting[0]).toEqual(draft(9))
    expect(await outbox.listWaiting(at + 8)).toEqual([])
    expect(await outbox.listWaiting(at + 100)).toEqual([organizationId])

    const event: StoredEvent = {
      organizationId,
      id: 'evt_9',
      type: 'entitlement.changed',
      at: at + 9,
      sequence: 1,
      body: '{}',
    }
    expect(await outbox.relay(event, draft(9), [])).toBe('written')
    expect(await outbox.relay(event, draft(9), [])).toBe('conflict')
    // The number is taken, although this event still waits.
    expect(await outbox.relay({ ...event, id: 'evt_10' }, draft(10), [])).toBe('conflict')
    // A number is left out, or given to an event that no longer waits.
    expect(await outbox.relay({ ...event, id: 'evt_10', sequence: 3 }, draft(10), [])).toBe('conflict')
    expect(await outbox.relay({ ...event, sequence: 2 }, draft(9), [])).toBe('conflict')
    expect((await outbox.read(organizationId)).last).toBe(1)
    expect(await relay(organizationId)).toBe(2)
    expect(await outbox.read(organizationId)).toEqual({ waiting: [], last: 3 })
    expect(await outbox.listWaiting(at + 100)).toEqual([])
  })

  it('announces a fact that is seen again only once, even after it was numbered', async () => {
    const paid = draft(1, {
      organizationId: other,
      id: 'evt_paid',
      type: 'invoice.paid',
      subject: 'invoice',
      once: true,
    })
    expect(await announce(paid)).toMatchObject({ kind: 'written' })
    expect(await relay(other)).toBe(1)
    expect(await announce(paid)).toMatchObject({ kind: 'refused' })
    expect(await relay(other)).toBe(0)
  })

  it('makes deliveries for the endpoints as they are stored', async () => {
    const stored = { url: 'https://example.com', description: '', enabled: true, createdAt: at, secret: 'cipher' }
    const idOf = (owner: typeof other | 'operator') => (owner === 'operator' ? operatorsEndpoint : owner)
    for (const owner of [other, 'operator'] as const) {
      await putItem(bed.client, table, { ...endpointKey(owner, idOf(owner)), id: idOf(owner), ...stored })
      await putItem(bed.client, table, { ...endpointCountKey(owner), endpoints: 1 })
    }
    await announce(draft(2, { organizationId: other }))
    await relay(other)
    const { Items = [] } = await bed.client.send(new ScanCommand({ TableName: table }))
    const deliveries = Items.filter(({ sk }) => String(sk).startsWith('DELIVERY#'))
    expect(deliveries.map(({ pk, owner }) => [pk, owner]).toSorted()).toEqual([
      [`ENDPOINT#${other}`, `ORG#${other}`],
      [`ENDPOINT#${idOf('operator')}`, 'OPERATOR'],
    ])
  })
})
