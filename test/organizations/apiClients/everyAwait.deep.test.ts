import { randomUUID } from 'node:crypto'
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import { troubles } from '../members/everyAwait.ts'
import { type Credentials, created, useApiClients } from './useApiClients.ts'

const { bed, api, pathOf, open, create, requestToken } = useApiClients()

const neighbours = ['dynamoDb', 'kms'] as const
const secretIn = z.object({ client_secret: z.string() })
const tokenIn = z.object({ access_token: z.string() })
const stored = z.object({ sk: z.string(), clients: z.number().optional() })

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Story {
  readonly organizationId: string
  /** The request, which is the same each time. */
  readonly send: () => Promise<Answer>
  /** What has to hold after the request with trouble, and after its repetition; `answers` so far. */
  readonly expectSound: (answers: readonly Answer[]) => Promise<void>
  /** What has to hold once the request was repeated without trouble. */
  readonly expectDone: (answers: readonly Answer[]) => Promise<void>
}

/** A request as the owner; the token is there before it, so that its sign-in is no part of the story. */
async function asOwner(method: 'POST' | 'DELETE', path: string, body?: unknown, headers = {}) {
  const token = await api().accessToken('owner')
  return () => api().sendForHeaders({ method, path, token, body, headers })
}

/** The stored clients of an organization, and the count beside them. */
async function storedOf(organizationId: string) {
  const { Items } = await bed.stack.documents.send(
    new QueryCommand({
      TableName: api().info.tables.accounts,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `API_CLIENTS#${organizationId}` },
    }),
  )
  const all = z.array(stored).parse(Items)
  const count = all.find(({ sk }) => sk === 'COUNT')?.clients ?? 0
  return { clients: all.filter(({ sk }) => sk !== 'COUNT').length, count }
}

const entriesOf = async (organizationId: string, wanted: string) =>
  (await bed.stack.auditEntries(organizationId)).filter(({ action }) => action === wanted)

const worksWith = async (credentials: Credentials) => (await requestToken(credentials)).status === 200

async function expectEntries(organizationId: string, action: string, most: number): Promise<void> {
  expect((await entriesOf(organizationId, action)).length).toBeLessThanOrEqual(most)
}

const secretsIn = (answers: readonly Answer[]) => answers.flatMap(({ body }) => secretIn.safeParse(body).data ?? [])

const statusOfEntitlements = async (organizationId: string, token: string) => {
  const path = `/api/billing/entitlements?organization_id=${organizationId}`
  return (await api().send({ method: 'GET', path, token })).status
}

const stories: Record<string, () => Promise<Story>> = {
  'the creation of one': async () => {
    const organizationId = await api().newOrganization()
    const body = { name: 'Nightly export', scopes: resourceScopes }
    const key = { 'idempotency-key': randomUUID() }
    const expectSound = async (answers: readonly Answer[]) => {
      const { clients, count } = await storedOf(organizationId)
      expect(clients).toBe(count)
      expect(clients).toBeLessThanOrEqual(1)
      await expectEntries(organizationId, 'api_client.created', clients)
      expect(secretsIn(answers).length).toBeLessThanOrEqual(1)
      for (const answer of answers) {
        const client = created.safeParse(answer.body).data
        if (client !== undefined) expect(await worksWith(client)).toBe(true)
      }
    }
    return {
      organizationId,
      send: await asOwner('POST', pathOf(organizationId), body, key),
      expectSound,
      expectDone: async (answers) => {
        expect(answers.at(-1)?.status).toBe(201)
        expect((await storedOf(organizationId)).clients).toBe(1)
        expect(await entriesOf(organizationId, 'api_client.created')).toHaveLength(1)
      },
    }
  },

  'the rotation of its secret': async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['billing:read'])
    const expectSound = async (answers: readonly Answer[]) => {
      expect(await worksWith(client)).toBe(true)
      expect(secretsIn(answers).length).toBeLessThanOrEqual(1)
      for (const { client_secret } of secretsIn(answers))
        expect(await worksWith({ ...client, client_secret })).toBe(true)
      await expectEntries(organizationId, 'api_client.rotated', 1)
    }
    return {
      organizationId,
      send: await asOwner('POST', `${pathOf(organizationId)}/${client.id}/rotate`),
      expectSound,
      expectDone: async (answers) => {
        // Where it was done and the answer lost, it is not done again.
        expect([200, 409]).toContain(answers.at(-1)?.status)
        expect(await entriesOf(organizationId, 'api_client.rotated')).toHaveLength(1)
      },
    }
  },

  'its deletion': async () => {
    const { organizationId, client, token } = await open(['entitlements:read'])
    const expectSound = async () => {
      const { clients, count } = await storedOf(organizationId)
      expect(clients).toBe(count)
      expect(await worksWith(client)).toBe(clients === 1)
      expect(await statusOfEntitlements(organizationId, token)).toBe(clients === 1 ? 200 : 401)
      await expectEntries(organizationId, 'api_client.deleted', 1 - clients)
    }
    return {
      organizationId,
      send: await asOwner('DELETE', `${pathOf(organizationId)}/${client.id}`),
      expectSound,
      expectDone: async (answers) => {
        expect([204, 404]).toContain(answers.at(-1)?.status)
        expect(await storedOf(organizationId)).toEqual({ clients: 0, count: 0 })
        expect(await entriesOf(organizationId, 'api_client.deleted')).toHaveLength(1)
      },
    }
  },

  'a token for it': async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['entitlements:read'])
    const expectSound = async (answers: readonly Answer[]) => {
      for (const { body } of answers) {
        const token = tokenIn.safeParse(body).data?.access_token
        if (token !== undefined) expect(await statusOfEntitlements(organizationId, token)).toBe(200)
      }
    }
    return {
      organizationId,
      send: () => requestToken(client),
      expectSound,
      expectDone: async (answers) => expect(answers.at(-1)?.status).toBe(200),
    }
  },
}

/** Each minute has its limits, and a lease of a request that broke off has ended. */
beforeEach(() => bed.stack.emulator.advance(61))
afterEach(resetBoth)

function resetBoth(): void {
  for (const neighbour of neighbours) bed.stack[neighbour].reset()
}

/** The calls of a story when nothing fails. */
async function callsOf(story: Story): Promise<{ neighbour: (typeof neighbours)[number]; after: number }[]> {
  resetBoth()
  expect((await story.send()).status).toBeLessThan(300)
  return neighbours.flatMap((neighbour) => bed.stack[neighbour].calls().map((_, after) => ({ neighbour, after })))
}

describe.each(Object.entries(stories))('An API client in trouble, in every await of %s', (_, begin) => {
  // [threat 112]
  it.each(troubles)('is sound, and the same request finishes: $kind of $times attempts', async (trouble) => {
    const calls = await callsOf(await begin())
    expect(calls.length).toBeGreaterThanOrEqual(3)
    for (const { neighbour, after } of calls) {
      await bed.stack.emulator.advance(61)
      const story = await begin()
      resetBoth()
      bed.stack[neighbour].fail({ ...trouble, after })
      const answer = await story.send()
      resetBoth()
      const place = `${neighbour} ${after}: ${answer.status}`
      expect([place, [200, 201, 204, 404, 409, 503].includes(answer.status)]).toEqual([place, true])
      await story.expectSound([answer])
      await bed.stack.emulator.advance(61)
      const answers = [answer, await story.send()]
      await story.expectSound(answers)
      await story.expectDone(answers)
    }
  })
})

describe('20 rotations at once', () => {
  // [threat 112]
  it('of two owners are one, and leave two secrets that work, one of them new', async () => {
    const organizationId = await api().newOrganization()
    const client = await create(organizationId, ['billing:read'])
    const membership = { user_id: api().info.demo.billing_admin.id, organization_id: organizationId, role: 'owner' }
    await api().send({ method: 'POST', path: '/_local/memberships', body: membership })
    const tokens = [await api().accessToken('owner'), await api().accessToken('billing_admin')]
    const path = `${pathOf(organizationId)}/${client.id}/rotate`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api().sendForHeaders({ method: 'POST', path, token: tokens[index % 2] ?? '' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const [newer] = secretsIn(answers)
    expect(newer).toBeDefined()
    for (const secret of [newer?.client_secret ?? '', client.client_secret])
      expect(await worksWith({ ...client, client_secret: secret })).toBe(true)
    expect(await entriesOf(organizationId, 'api_client.rotated')).toHaveLength(1)
  })
})
