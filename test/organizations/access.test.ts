import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../support/billingStack.ts'
import { type Answer, type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, team, setRole, stored, expectOwners } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

type Operation = (who: Person, id: string, memberId: string) => Promise<Answer>

/** Every read operation of members. */
const reads: Record<string, Operation> = {
  'organizations-members': (who, id) => who.call('GET', `/api/organizations/${id}/members`),
  'billing-entitlements': (who, id) => who.call('GET', `/api/billing/entitlements?organization_id=${id}`),
}

/** Every operation of owners. */
const management: Record<string, Operation> = {
  'organizations-rename': (who, id) => who.call('PATCH', `/api/organizations/${id}`, { name: 'Taken over' }),
  'organizations-invite': (who, id) =>
    who.call('POST', `/api/organizations/${id}/invitations`, { email: 'guest@example.com', role: 'owner' }),
  'organizations-invitation-revoke': (who, id) =>
    who.call('DELETE', `/api/organizations/${id}/invitations/${'A'.repeat(43)}`),
  'organizations-member-role': (who, id, memberId) =>
    who.call('PATCH', `/api/organizations/${id}/members/${memberId}`, { role: 'owner' }),
  'organizations-member-remove': (who, id, memberId) =>
    who.call('DELETE', `/api/organizations/${id}/members/${memberId}`),
  'organizations-transfer': (who, id, memberId) =>
    who.call('POST', `/api/organizations/${id}/transfer`, { user_id: memberId }),
}

const billing: Record<string, Operation> = {
  'billing-checkout': (who, id) =>
    who.call('POST', `/api/billing/checkout?organization_id=${id}`, { product_codes: ['base_ota'] }),
  'billing-setup-intent': (who, id) => who.call('POST', `/api/billing/card-gateway/setup-intent?organization_id=${id}`),
  'billing-cancel': (who, id) => who.call('POST', `/api/billing/cancel?organization_id=${id}`, { product: 'ota' }),
}

const leave: Record<string, Operation> = {
  'organizations-leave': (who, id) => who.call('POST', `/api/organizations/${id}/leave`),
}

const everything = Object.entries({ ...reads, ...management, ...billing, ...leave })
const notFound = { status: 404, text: '{"detail":"Organization not found"}' }

describe('Every operation on an organization', () => {
  it.each(everything)(
    '%s answers a stranger with the same bytes as for an organization that is unknown',
    async (_, call) => {
      const { stranger, member, id } = await team()
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

  it.each(everything)('%s answers 401 without a valid token, whatever else is wrong', async (_, call) => {
    const { base_url } = bed.stack.client.info
    const anonymous = {
      ...(await person()),
      call: async (method: string, path: string): Promise<Answer> => {
        const response = await fetch(base_url + path, { method, headers: { authorization: 'Bearer forged' } })
        const text = await response.text()
        return { status: response.status, text, body: JSON.parse(text), headers: {} }
      },
    }
    expect(await call(anonymous, 'not-a-uuid', 'not-a-uuid')).toMatchObject({
      status: 401,
      body: { detail: 'Unauthorized' },
    })
  })

  it.each(everything)('%s answers 422 to a malformed organization id', async (_, call) => {
    const someone = await person()
    const answer = await call(someone, 'not-a-uuid', someone.id)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'uuid_parsing' }] } })
    expect(answer.text).toMatch(/"loc":\["(path|query)","organization_id"\]/)
  })

  it.each(Object.entries(reads))('%s is for every member', async (_, call) => {
    const { id, owner, billing_admin, member } = await team()
    for (const who of [owner, billing_admin, member]) expect((await call(who, id, member.id)).status).toBe(200)
  })

  it.each(Object.entries(management))('%s is for owners: 403 to others, and nothing is written', async (_, call) => {
    const { id, billing_admin, member } = await team()
    const before = await stored(id)
    bed.stack.dynamoDb.reset()
    for (const who of [billing_admin, member]) {
      expect(await call(who, id, member.id)).toMatchObject({ status: 403, body: { detail: 'Forbidden' } })
    }
    expect(bed.stack.writes()).toEqual([])
    expect(await stored(id)).toEqual(before)
  })
})

describe('A member who was removed, with a token that is still valid', () => {
  it.each(['owner', 'billing_admin', 'member'] as const)(
    'a former %s has lost everything with the next request',
    async (role) => {
      const { id, path, owner, stranger: former, member } = await team()
      await setRole(id, former, role)
      for (const call of Object.values(reads)) expect((await call(former, id, member.id)).status).toBe(200)
      expect((await owner.call('DELETE', `${path}/members/${former.id}`)).status).toBe(204)
      const before = await stored(id)
      for (const [name, call] of everything) {
        const { status, text } = await call(former, id, member.id)
        expect({ name, status, text }).toEqual({ name, ...notFound })
      }
      expect((await former.call('GET', '/api/organizations')).body).toEqual({ organizations: [] })
      expect(await stored(id)).toEqual(before)
    },
  )

  it('and a demoted owner cannot manage it any more', async () => {
    const { id, path, owner, stranger: former, member } = await team()
    await setRole(id, former, 'owner')
    await owner.call('PATCH', `${path}/members/${former.id}`, { role: 'member' })
    for (const [name, call] of Object.entries({ ...management, ...billing })) {
      expect({ name, status: (await call(former, id, member.id)).status }).toEqual({ name, status: 403 })
    }
    await expectOwners(id, 1)
  })

  it('writes nothing that was decided on a former role', async () => {
    const { id, path, owner, stranger: rival, member } = await team()
    for (let n = 0; n < 5; n += 1) {
      await setRole(id, rival, 'owner')
      await setRole(id, member, 'member')
      const [removed, promoted, renamed] = await Promise.all([
        owner.call('DELETE', `${path}/members/${rival.id}`),
        rival.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' }),
        rival.call('PATCH', path, { name: `Rival ${n}` }),
      ])
      expect(removed.status).toBe(204)
      expect([200, 404]).toContain(promoted.status)
      const { name, roles } = await stored(id)
      expect(roles[member.id]).toBe(promoted.status === 200 ? 'owner' : 'member')
      expect(name === `Rival ${n}`).toBe(renamed.status === 200)
      await expectOwners(id, promoted.status === 200 ? 2 : 1)
    }
  })
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
