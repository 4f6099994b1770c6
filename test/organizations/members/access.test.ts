import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { onlyFor } from '../../../lib/http/answer/errorAnswers.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { isServed, notFound, operations, reads, restricted } from './heldOperations.ts'
import { type Answer, type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, team, organizationOf, setRole, stored } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

describe('Every operation on an organization', () => {
  // No case changes it: they read, or are refused.
  let shared: Awaited<ReturnType<typeof team>>
  let otherOwner: Person
  beforeAll(async () => {
    shared = await team()
    otherOwner = await person()
    await organizationOf(otherOwner)
  })

  // [threat 52]
  it.each(operations)(
    '$name answers a stranger with the same bytes as for an organization that is unknown',
    async ({ call }) => {
      const { stranger, member, id } = shared
      const before = await stored(id)
      bed.stack.dynamoDb.reset()
      const foreign = await call(stranger, id, member.id)
      const calls = bed.stack.dynamoDb.calls().map(({ operation }) => operation)
      bed.stack.dynamoDb.reset()
      const unknown = await call(stranger, randomUUID(), member.id)
      expect(foreign).toMatchObject(notFound)
      expect(foreign).toEqual(unknown)
      expect(bed.stack.dynamoDb.calls().map(({ operation }) => operation)).toEqual(calls)
      expect(bed.stack.writes()).toEqual([])
      expect(await stored(id)).toEqual(before)
    },
  )

  // [threat 52]
  it.each(operations)('$name answers an owner of another organization as it answers a stranger', async ({ call }) => {
    const { stranger, member, id } = shared
    const foreign = await call(stranger, id, member.id)
    bed.stack.dynamoDb.reset()
    expect(await call(otherOwner, id, member.id)).toEqual(foreign)
    expect(bed.stack.writes()).toEqual([])
  })

  // [asvs 8.3.1]
  it.each(operations)('$name answers 401 without a valid token, whatever else is wrong', async ({ call }) => {
    const { base_url } = bed.stack.client.info
    const forger = (authorization: Record<string, string>) => ({
      call: async (method: string, path: string): Promise<Answer> => {
        const response = await fetch(base_url + path, { method, headers: authorization })
        const text = await response.text()
        return { status: response.status, text, body: JSON.parse(text), headers: {} }
      },
    })
    const refused = { unauthorized: {}, invalid_token: { authorization: 'Bearer forged' } }
    for (const [code, authorization] of Object.entries(refused)) {
      expect(await call(forger(authorization), 'not-a-uuid', 'not-a-uuid')).toMatchObject({
        status: 401,
        body: errorBody('Unauthorized', code),
      })
    }
  })

  it.each(operations)('$name answers 422 to an organization id that is none', async ({ call }) => {
    const { stranger } = shared
    const answer = await call(stranger, 'not-a-uuid', stranger.id)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'uuid_parsing' }] } })
    expect(answer.text).toMatch(/"loc":\["(path|query)","organization_id"\]/)
  })

  it.each(reads)('$name is served to every role that the manifest allows', async ({ call, allowed }) => {
    const { id, ...people } = shared
    for (const role of allowed) expect(isServed(await call(people[role], id, people.member.id))).toBe(true)
  })

  // [asvs 8.2.1] [threat 57]
  it.each(restricted)(
    '$name answers 403 to every other role, names the roles that may, and writes nothing',
    async ({ call, allowed, forbidden }) => {
      const { id, ...people } = shared
      const before = await stored(id)
      bed.stack.dynamoDb.reset()
      for (const role of forbidden) {
        expect(await call(people[role], id, people.member.id)).toMatchObject({
          status: 403,
          body: errorBody(onlyFor[allowed.includes('billing_admin') ? 'billing_admin' : 'owner'], 'forbidden'),
        })
      }
      expect(bed.stack.writes()).toEqual([])
      expect(await stored(id)).toEqual(before)
    },
  )
})

describe('An index that lags behind the table', () => {
  it('does not list an organization that the user was removed from', async () => {
    const { id, member } = await team()
    const key = { pk: `ORG#${id}`, sk: `GHOST#${member.id}` }
    await setRole(id, member, 'member')
    // A stale entry of the index: an organization without the membership.
    const foreign = randomUUID()
    await bed.stack.putItem({ ...key, pk: `ORG#${foreign}`, memberId: member.id })
    expect((await member.call('GET', '/api/organizations')).body).toMatchObject({ organizations: [{ id }] })
    expect((await member.call('GET', '/api/organizations')).text).not.toContain(foreign)
  })
})
