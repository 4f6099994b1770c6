import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { onlyFor } from '../../../lib/http/answer/errorAnswers.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, organizationOf, team, setRole, setSecondFactor, stored, expectOwners } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const notFound = { status: 404, body: errorBody('Organization not found', 'organization_not_found') }
const forbidden = { status: 403, body: errorBody(onlyFor.owner, 'forbidden') }
const memberNotFound = { status: 404, body: errorBody('Member not found', 'member_not_found') }
const lastOwner = { status: 409, body: errorBody('LAST_OWNER', 'last_owner') }

describe('GET /api/organizations/{organization_id}/members', () => {
  // [asvs 8.2.3]
  it('lists all members ordered by id, for owners with email addresses and who has a second factor', async () => {
    const { owner, billing_admin, member, path } = await team()
    await setSecondFactor(member, true)
    const { status, body } = await owner.call('GET', `${path}/members`)
    const row = ({ id, username, email }: Person, role: string, has_second_factor = false) => {
      return { user_id: id, username, email, role, has_second_factor }
    }
    const rows = [row(owner, 'owner'), row(billing_admin, 'billing_admin'), row(member, 'member', true)]
    const members = rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
    expect({ status, body }).toEqual({ status: 200, body: { members, invitations: [], next_cursor: null } })
  })

  it('has each member under the user’s id too, as the caller sees the list', async () => {
    const { owner, member, path } = await team()
    const stranger = await person()
    for (const who of [owner, member]) {
      const { body } = await who.call('GET', `${path}/members`)
      const one = await who.call('GET', `${path}/members/${member.id}`)
      expect(one.status).toBe(200)
      expect(body).toMatchObject({ members: expect.arrayContaining([one.body]) })
    }
    expect(await owner.call('GET', `${path}/members/${stranger.id}`)).toMatchObject(memberNotFound)
    expect(await stranger.call('GET', `${path}/members/${member.id}`)).toMatchObject(notFound)
  })

  it.each(['billing_admin', 'member'] as const)(
    'keeps addresses, second factors and invitations from a %s, and shows the rest alike',
    async (who) => {
      const { path, ...all } = await team()
      await setSecondFactor(all[who], true)
      await all.owner.call('POST', `${path}/invitations`, { email: 'guest@example.com', role: 'member' })
      const { text, body } = await all[who].call('GET', `${path}/members`)
      const hidden = { email: null, has_second_factor: null }
      expect(body).toMatchObject({ members: [hidden, hidden, hidden], invitations: [] })
      expect(text).not.toContain('@')
      expect(text).toContain(all.owner.username)
    },
  )

  it('lists more members than the store reads at once, in a stable order', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    // Stored memberships suffice; the users have no accounts.
    const ids = Array.from({ length: 120 }, () => randomUUID())
    await Promise.all(
      ids.map((userId) =>
        bed.stack.putItem({ pk: `ORG#${id}`, sk: `MEMBER#${userId}`, userId, memberId: userId, role: 'member' }),
      ),
    )
    const first = await owner.call('GET', `/api/organizations/${id}/members`)
    expect(first.status).toBe(200)
    const listed = [...first.text.matchAll(/"user_id":"([^"]+)"/g)].map(([, userId]) => userId)
    expect(listed).toEqual([...ids, owner.id].sort())
    expect((await owner.call('GET', `/api/organizations/${id}/members`)).text).toBe(first.text)
  })
})

describe('PATCH /api/organizations/{organization_id}/members/{user_id}', () => {
  it('changes the role of a member from the next request on', async () => {
    const { owner, member, path, id } = await team()
    expect(await member.call('PATCH', path, { name: 'Mine' })).toMatchObject(forbidden)
    const answer = await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' })
    expect(answer).toMatchObject({ status: 200, body: { user_id: member.id, role: 'owner' } })
    await expectOwners(id, 2)
    expect((await member.call('PATCH', path, { name: 'Mine' })).status).toBe(200)
    await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'billing_admin' })
    await expectOwners(id, 1)
    expect(await member.call('PATCH', path, { name: 'Not mine' })).toMatchObject(forbidden)
  })

  it('lets an owner demote themselves while there is another one, and not the last', async () => {
    const { owner, member, path, id } = await team()
    const demoteOwner = () => owner.call('PATCH', `${path}/members/${owner.id}`, { role: 'member' })
    expect(await demoteOwner()).toMatchObject(lastOwner)
    await expectOwners(id, 1)
    await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' })
    expect((await demoteOwner()).status).toBe(200)
    await expectOwners(id, 1)
    expect((await stored(id)).roles).toMatchObject({ [owner.id]: 'member', [member.id]: 'owner' })
  })

  it('writes nothing for the current role', async () => {
    const { owner, member, path } = await team()
    bed.stack.dynamoDb.reset()
    const answer = await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'member' })
    expect(answer).toMatchObject({ status: 200, body: { user_id: member.id, role: 'member' } })
    expect(bed.stack.writes()).toEqual([])
  })

  it('answers the same 404 for a stranger and for an unknown id', async () => {
    const { owner, stranger, path, id } = await team()
    const before = await stored(id)
    for (const userId of [stranger.id, randomUUID()]) {
      expect(await owner.call('PATCH', `${path}/members/${userId}`, { role: 'owner' })).toMatchObject(memberNotFound)
    }
    expect(await stored(id)).toEqual(before)
  })

  it.each([
    ['not-a-uuid', 'not-a-uuid', { role: 'king' }, ['organization_id', 'user_id', 'role']],
    [randomUUID(), randomUUID(), { role: null }, ['role']],
    [randomUUID(), '%20', { role: 'member' }, ['user_id']],
  ])('answers 422 to %s, %s, %j with every problem', async (organizationId, userId, body, fields) => {
    const owner = await person()
    const answer = await owner.call('PATCH', `/api/organizations/${organizationId}/members/${userId}`, body)
    const locs = fields.map((field) => ({ loc: [field === 'role' ? 'body' : 'path', field] }))
    expect(answer).toMatchObject({ status: 422, body: { detail: locs } })
  })
})

describe('DELETE /api/organizations/{organization_id}/members/{user_id}', () => {
  it('answers 204 without a body, and 404 once the member is removed', async () => {
    const { owner, member, path, id } = await team()
    const remove = () => owner.call('DELETE', `${path}/members/${member.id}`)
    expect(await remove()).toMatchObject({ status: 204, text: '' })
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'member_not_found' } })
    expect((await stored(id)).roles).not.toHaveProperty(member.id)
    await expectOwners(id, 1)
  })

  it('removes an owner while there is another one, and never the last one', async () => {
    const { owner, member, path, id } = await team()
    expect(await owner.call('DELETE', `${path}/members/${owner.id}`)).toMatchObject(lastOwner)
    await setRole(id, member, 'owner')
    expect((await owner.call('DELETE', `${path}/members/${member.id}`)).status).toBe(204)
    await expectOwners(id, 1)
    expect(await owner.call('DELETE', `${path}/members/${owner.id}`)).toMatchObject(lastOwner)
    expect((await stored(id)).roles).toMatchObject({ [owner.id]: 'owner' })
  })
})

describe('POST /api/organizations/{organization_id}/leave', () => {
  it.each(['billing_admin', 'member'] as const)('lets a %s leave, who is a stranger then', async (who) => {
    const { path, ...all } = await team()
    expect(await all[who].call('POST', `${path}/leave`)).toMatchObject({ status: 204, text: '' })
    expect(await all[who].call('POST', `${path}/leave`)).toMatchObject(notFound)
    expect((await all[who].call('GET', '/api/organizations')).body).toEqual({ organizations: [], next_cursor: null })
  })

  it('keeps the last owner, and lets one of two leave', async () => {
    const { owner, member, path, id } = await team()
    expect(await owner.call('POST', `${path}/leave`)).toMatchObject(lastOwner)
    await expectOwners(id, 1)
    await setRole(id, member, 'owner')
    expect((await owner.call('POST', `${path}/leave`)).status).toBe(204)
    expect((await stored(id)).roles).toMatchObject({ [member.id]: 'owner' })
    await expectOwners(id, 1)
  })

  it('does not change the subscriptions of the organization', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.emulator.flush()
    const before = { slot: await stack.slot(organizationId), entitlements: await stack.entitlements(organizationId) }
    const left = await fetch(`${stack.client.info.base_url}/api/organizations/${organizationId}/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await stack.token('billing_admin')}` },
    })
    expect(left.status).toBe(204)
    await stack.emulator.flush()
    const after = { slot: await stack.slot(organizationId), entitlements: await stack.entitlements(organizationId) }
    expect(after).toEqual(before)
    expect((await stack.subscriptions(organizationId)).map((subscription) => subscription.status)).toEqual(['active'])
  })
})

describe('POST /api/organizations/{organization_id}/transfer', () => {
  it('makes the member an owner and the caller a billing admin', async () => {
    const { owner, member, path, id } = await team()
    const answer = await owner.call('POST', `${path}/transfer`, { user_id: member.id })
    expect(answer).toMatchObject({ status: 200, body: { id, name: 'Acme', role: 'billing_admin' } })
    expect((await stored(id)).roles).toMatchObject({ [owner.id]: 'billing_admin', [member.id]: 'owner' })
    await expectOwners(id, 1)
    expect(await owner.call('POST', `${path}/transfer`, { user_id: owner.id })).toMatchObject(forbidden)
  })

  it('keeps the role of a recipient who is an owner', async () => {
    const { owner, member, path, id } = await team()
    await setRole(id, member, 'owner')
    expect((await owner.call('POST', `${path}/transfer`, { user_id: member.id })).status).toBe(200)
    await expectOwners(id, 1)
    expect((await stored(id)).roles).toMatchObject({ [owner.id]: 'billing_admin', [member.id]: 'owner' })
  })

  it('changes nothing for a transfer to oneself', async () => {
    const { owner, path, id } = await team()
    const before = await stored(id)
    const answer = await owner.call('POST', `${path}/transfer`, { user_id: owner.id })
    expect(answer).toMatchObject({ status: 200, body: { role: 'owner' } })
    expect(await stored(id)).toEqual(before)
  })

  it('answers 404 for a user who is not a member, and changes nothing', async () => {
    const { owner, stranger, path, id } = await team()
    const before = await stored(id)
    expect(await owner.call('POST', `${path}/transfer`, { user_id: stranger.id })).toMatchObject(memberNotFound)
    expect(await stored(id)).toEqual(before)
  })
})
