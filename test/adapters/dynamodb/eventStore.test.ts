import { describe, expect, it } from '@jest/globals'
import {
  deliveryKey,
  endpointCountKey,
  endpointKey,
  eventKey,
  outboxKey,
  sequenceKey,
} from '../../../lib/adapters/dynamodb/eventKeys.ts'
import { putDelivery, putEvent, relayWrites } from '../../../lib/adapters/dynamodb/eventStore.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { EventDraft, StoredEvent } from '../../../lib/events/event.ts'
import type { Delivery } from '../../../lib/events/ports.ts'

const organizationId = organizationIdSchema.parse('11111111-1111-4111-8111-111111111111')
const pk = `ORG#${organizationId}`
const at = Date.UTC(2026, 10, 28)

const draft: EventDraft = {
  organizationId,
  id: 'evt_1',
  type: 'entitlement.changed',
  at,
  subject: 'slot:ota',
  revision: 7,
  data: { product: 'ota', active: true },
}

const delivery: Delivery = {
  id: 'd1',
  endpointId: 'e1',
  owner: 'operator',
  eventId: 'evt_1',
  eventType: 'entitlement.changed',
  event: { organizationId, sequence: 3 },
  createdAt: at,
  status: 'pending',
  attempts: 0,
  firstAttemptAt: null,
  nextAttemptAt: at,
  lastAttempt: null,
}

describe('Keys of the table events', () => {
  it('sort revisions, numbers and times as numbers do', () => {
    const revisions = [9, 10, 100, at].map((revision) => outboxKey({ ...draft, revision }).sk)
    const numbers = [9, 10, 100].map((sequence) => eventKey({ organizationId, sequence }).sk)
    const times = [9, at, 9_999_999_999_999].map((createdAt) => deliveryKey({ ...delivery, createdAt }).sk)
    for (const keys of [revisions, numbers, times]) expect(keys.toSorted()).toEqual(keys)
  })

  it('put what the operator owns apart from what organizations own', () => {
    expect(endpointKey('operator', 'e1')).toEqual({ pk: 'OPERATOR', sk: 'ENDPOINT#e1' })
    expect(endpointKey(organizationId, 'e1')).toEqual({ pk, sk: 'ENDPOINT#e1' })
    // The count of endpoints is no endpoint: no sort key of one begins as it does.
    expect(endpointCountKey(organizationId)).toEqual({ pk, sk: 'ENDPOINTS' })
  })
})

describe('An event in the transaction of its fact', () => {
  it('waits for its number, without a condition of its own', () => {
    const [put, ...others] = putEvent('events', draft)
    expect(others).toEqual([])
    expect(put?.Put).toEqual({
      TableName: 'events',
      Item: { ...outboxKey(draft), ...draft, dueKey: 'OUTBOX', dueAt: at },
    })
  })

  it('is remembered for 400 days if its fact may be seen again', () => {
    const [once, put] = putEvent('events', { ...draft, once: true })
    expect(once?.Put).toEqual({
      TableName: 'events',
      Item: { pk, sk: 'ONCE#evt_1', expiresAt: (at + 400 * 86_400_000) / 1000 },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    expect(put).toEqual(putEvent('events', draft)[0])
  })

  it('is refused for a function without that table', () => {
    expect(() => putEvent(undefined, draft)).toThrow('no table of events')
  })
})

describe('The writes of the relay', () => {
  const event: StoredEvent = { organizationId, id: draft.id, type: draft.type, at, sequence: 3, body: '{}' }

  it('take the event out of the outbox, under the next number, with its deliveries', () => {
    const writes = relayWrites('events', event, draft, [delivery])
    expect(writes.counter.Update).toMatchObject({
      Key: sequenceKey(organizationId),
      ConditionExpression: '#last = :before',
      ExpressionAttributeValues: { ':sequence': 3, ':before': 2 },
    })
    expect(writes.event.Put).toMatchObject({
      Item: { ...eventKey(event), body: '{}', expiresAt: (at + 30 * 86_400_000) / 1000 },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    expect(writes.outbox.Delete).toMatchObject({ Key: outboxKey(draft), ConditionExpression: 'attribute_exists(pk)' })
    expect(writes.deliveries).toEqual([putDelivery('events', delivery)])
  })

  it('begin a count at 1 only if there is none', () => {
    const { counter } = relayWrites('events', { ...event, sequence: 1 }, draft, [])
    expect(counter.Update.ConditionExpression).toBe('attribute_not_exists(pk)')
  })
})

describe('A new delivery', () => {
  it('is due at once, and leads to the event’s body and to its endpoint’s owner', () => {
    expect(putDelivery('events', delivery).Put?.Item).toMatchObject({
      ...deliveryKey(delivery),
      owner: 'OPERATOR',
      event: eventKey({ organizationId, sequence: 3 }),
      dueKey: 'DELIVERY',
      dueAt: at,
    })
  })

  it('has the body of an event that is in no list', () => {
    const { Item } = putDelivery('events', { ...delivery, event: { body: '{"sequence":null}' } }).Put ?? {}
    expect(Item).toMatchObject({ body: '{"sequence":null}' })
    expect(Item).not.toHaveProperty('event')
  })
})
