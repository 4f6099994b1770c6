import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { apiClient, serviceToken } from '../../infra/local/samples/sampleApiClient.ts'
import { putEvent, relayWrites } from '../../lib/adapters/dynamodb/eventStore.ts'
import { transactWrite } from '../../lib/adapters/dynamodb/kit/transactWrite.ts'
import type { OrganizationId } from '../../lib/core/ids.ts'
import { type EventDraft, eventBody, eventIdOf } from '../../lib/events/event.ts'
import { eventResource } from '../../lib/events/eventResource.ts'
import { type Person, peopleOf } from '../organizations/members/people.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { runSchedule } from '../support/runSchedule.ts'

const bed = useBillingStack()
const { person, organizationOf, team } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 86_400_000
const list = z.strictObject({ events: z.array(eventResource), next_cursor: z.string().nullable() })

async function listed(owner: Person, id: string, query = '') {
  const { status, body } = await owner.call('GET', `/api/organizations/${id}/events${query}`)
  expect(status).toBe(200)
  return list.parse(body)
}

/** Stores an event with this number and time, as the relay does. */
async function store(organizationId: OrganizationId, sequence: number, at: number): Promise<void> {
  const type = sequence % 3 === 0 ? 'member.removed' : 'member.added'
  const data = { user_id: 'u', role: 'member' }
  const id = eventIdOf(type, organizationId, `${sequence}`)
  const draft: EventDraft = { organizationId, id, type, at, subject: 'member:u', revision: at, data }
  const { events } = bed.stack.client.info.tables
  const event = { organizationId, id, type, at, sequence, body: eventBody({ ...draft, sequence }) } as const
  await transactWrite(bed.stack.documents, { outbox: putEvent(events, draft) })
  expect(await transactWrite(bed.stack.documents, relayWrites(events, event, draft, []))).toEqual({ kind: 'written' })
}

describe('GET /api/organizations/{organization_id}/events', () => {
  it('lists the events as they are sent, newest first, and none that has no number yet', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    expect(await listed(owner, id)).toEqual({ events: [], next_cursor: null })
    await runSchedule('events-relay')
    await owner.call('PATCH', `/api/organizations/${id}/members/${owner.id}`, { role: 'owner' })
    const { events } = await listed(owner, id)
    expect(events).toMatchObject([
      { type: 'organization.created', organization_id: id, sequence: 1, data: { id, name: 'Acme' } },
    ])
  })

  it('gives each event once, page by page, those of 30 days, and those of a type', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    await runSchedule('events-relay')
    const now = Date.parse((await listed(owner, id)).events[0]?.timestamp ?? '')
    for (let sequence = 2; sequence <= 9; sequence += 1)
      await store(id, sequence, now - (sequence === 2 ? 31 : 1) * DAY)
    const numbers = ({ events }: z.output<typeof list>) => events.map(({ sequence }) => sequence)
    const [first, all] = [await listed(owner, id, '?limit=4'), await listed(owner, id)]
    // What is older than 30 days ends the list: what came before it is older.
    expect([numbers(first), numbers(all)]).toEqual([
      [9, 8, 7, 6],
      [9, 8, 7, 6, 5, 4, 3],
    ])
    const second = await listed(owner, id, `?limit=4&cursor=${first.next_cursor}`)
    expect([numbers(second), second.next_cursor, all.next_cursor]).toEqual([[5, 4, 3], null, null])
    const removed = await listed(owner, id, '?limit=2&type=member.removed')
    expect([numbers(removed), removed.next_cursor]).toEqual([[9, 6], expect.any(String)])
    const rest = await listed(owner, id, `?limit=2&type=member.removed&cursor=${removed.next_cursor}`)
    expect([numbers(rest), rest.next_cursor]).toEqual([[3], null])
  })

  it('is for owners, and for clients whose scope names events', async () => {
    const { path, owner, billing_admin, member, stranger, id } = await team()
    const statusOf = async (who: Person) => (await who.call('GET', `${path}/events`)).status
    expect(await Promise.all([owner, billing_admin, member, stranger].map(statusOf))).toEqual([200, 403, 403, 404])
    const { client } = bed.stack
    const own = await client.newOrganization()
    const { client_id, client_secret } = await apiClient(client, own, ['events:read'])
    const credentials = { grant_type: 'client_credentials', client_id, client_secret }
    const { body } = await client.send({ method: 'POST', path: '/api/oauth/token', body: credentials })
    const ofClient = z.object({ access_token: z.string() }).parse(body).access_token
    const read = async (organization: string, token: string) =>
      (await client.send({ method: 'GET', path: `/api/organizations/${organization}/events`, token })).status
    const [events, other] = [await serviceToken(client, 'events:read'), await serviceToken(client, 'billing:read')]
    expect([await read(own, ofClient), await read(id, ofClient)]).toEqual([200, 404])
    expect([await read(own, events), await read(id, events), await read(id, other)]).toEqual([200, 200, 403])
    expect(await read('7d9f1b2c-0e4a-4c57-9b3d-5a6e8f0c1d23', events)).toBe(404)
  })

  it('is 422 for a type that is never sent, and 503 while the store is unavailable', async () => {
    const { path, owner } = await team()
    expect((await owner.call('GET', `${path}/events?type=endpoint.test`)).status).toBe(422)
    bed.stack.dynamoDb.fail({ operation: 'Query', times: 3, kind: 'drop_before' })
    expect((await owner.call('GET', `${path}/events`)).status).toBe(503)
  })
})
