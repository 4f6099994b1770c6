import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { auditLogResource } from '../../../lib/organizations/auditLogResource.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { queryProblems } from '../../support/errorBody.ts'
import { type Person, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, organizationOf, team, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 86_400
const created = z.object({ id: z.string() })

async function logOf(owner: Person, id: string, query = '') {
  const { status, body } = await owner.call('GET', `/api/organizations/${id}/audit-log${query}`)
  expect(status).toBe(200)
  return auditLogResource.parse(body)
}

const shortly = ({ actor, action, target, detail }: z.infer<typeof auditLogResource>['entries'][number]) => [
  `${actor.type} ${actor.id}`,
  action,
  target,
  detail,
]

describe('GET /api/organizations/{organization_id}/audit-log', () => {
  describe('Given one change of each kind', () => {
    let all: { id: string; path: string; owner: Person; guest: Person; other: Person; invitationId: string }

    beforeAll(async () => {
      const [owner, guest, other] = await Promise.all([person(), person(), person()])
      const id = await organizationOf(owner)
      const path = `/api/organizations/${id}`
      const send = async (who: Person, ...[method, rest, body]: Parameters<Person['call']>) => {
        const answer = await who.call(method, rest, body)
        expect(answer.status).toBeLessThan(300)
        return answer.body
      }
      const invite = (email: string, role: string) => send(owner, 'POST', `${path}/invitations`, { email, role })
      await send(owner, 'PATCH', path, { name: 'Beta' })
      for (const someone of [guest, other]) {
        await invite(someone.email, 'member')
        const token = await tokenMailedTo(someone.email)
        for (let sent = 0; sent < 2; sent += 1)
          await send(someone, 'POST', '/api/organizations/invitations/accept', { token })
      }
      const invitationId = created.parse(await invite('late@example.com', 'billing_admin')).id
      await send(owner, 'DELETE', `${path}/invitations/${invitationId}`)
      await send(owner, 'PATCH', `${path}/members/${guest.id}`, { role: 'billing_admin' })
      await send(owner, 'DELETE', `${path}/members/${other.id}`)
      await send(owner, 'PATCH', path, { name: 'Beta' })
      // Again, when there is nothing left to do.
      await send(owner, 'PATCH', `${path}/members/${guest.id}`, { role: 'billing_admin' })
      await send(owner, 'PATCH', path, { name: 'Beta' })
      for (const gone of [`invitations/${invitationId}`, `members/${other.id}`])
        expect((await owner.call('DELETE', `${path}/${gone}`)).status).toBe(404)
      await send(owner, 'POST', `${path}/transfer`, { user_id: guest.id })
      await send(owner, 'POST', `${path}/leave`)
      all = { id, path, owner, guest, other, invitationId }
    })

    it('lists each once, newest first, with who made it', async () => {
      const { id, owner, guest, other, invitationId } = all
      const { entries, next_cursor } = await logOf(guest, id)
      const by = (who: Person) => `user ${who.id}`
      const invited = expect.stringMatching(/^[\w-]{43}$/)
      expect(entries.map(shortly)).toEqual([
        [by(owner), 'member.left', owner.id, { role: 'billing_admin' }],
        [by(owner), 'organization.transferred', id, { to: guest.id }],
        [by(owner), 'member.removed', other.id, { role: 'member' }],
        [by(owner), 'member.role_changed', guest.id, { from: 'member', to: 'billing_admin' }],
        [by(owner), 'invitation.revoked', invitationId, {}],
        [by(owner), 'member.invited', invitationId, { role: 'billing_admin' }],
        [by(other), 'member.joined', other.id, { role: 'member' }],
        [by(owner), 'member.invited', invited, { role: 'member' }],
        [by(guest), 'member.joined', guest.id, { role: 'member' }],
        [by(owner), 'member.invited', invited, { role: 'member' }],
        [by(owner), 'organization.renamed', id, { from: 'Acme', to: 'Beta' }],
        [by(owner), 'organization.created', id, { name: 'Acme' }],
      ])
      expect(next_cursor).toBeNull()
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(12)
    })

    it('gives every entry once, page by page, and ends', async () => {
      const { id, guest } = all
      const { entries } = await logOf(guest, id, '?limit=100')
      const paged: typeof entries = []
      let query = '?limit=5'
      for (let page = 0; page < 3; page += 1) {
        const { entries: rows, next_cursor } = await logOf(guest, id, query)
        paged.push(...rows)
        query = `?limit=5&cursor=${next_cursor}`
        expect(next_cursor === null).toBe(page === 2)
      }
      expect(paged).toEqual(entries)
      expect((await logOf(guest, id, '?limit=12')).next_cursor).toBeNull()
    })

    it('lists those of an action, an actor and a time, page by page', async () => {
      const { id, guest, other, owner } = all
      const { entries } = await logOf(guest, id, '?limit=100')
      const found = async (query: string) => (await logOf(guest, id, `?limit=100&${query}`)).entries
      const invited = entries.filter(({ action }) => action === 'member.invited')
      expect([invited.length, await found('action=member.invited')]).toEqual([3, invited])
      expect(await found(`actor_id=${other.id}`)).toEqual(entries.filter(({ actor }) => actor.id === other.id))
      expect(await found(`actor_id=${owner.id}&action=member.joined`)).toEqual([])
      const at = entries[4]?.at ?? ''
      expect(await found(`from=${at}`)).toEqual(entries.filter((entry) => entry.at >= at))
      expect(await found(`to=${at}`)).toEqual(entries.filter((entry) => entry.at < at))
      expect(await found(`from=${at}&to=${at}`)).toEqual([])
      expect(await found('from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).toEqual(entries)
      const first = await logOf(guest, id, '?limit=2&action=member.invited')
      const second = await logOf(guest, id, `?limit=2&action=member.invited&cursor=${first.next_cursor}`)
      expect([...first.entries, ...second.entries]).toEqual(invited)
      expect(second.next_cursor).toBeNull()
    })

    it('refuses an action, an actor and times that cannot be', async () => {
      const { guest, path } = all
      const query = 'action=member.flew&actor_id=a%20b&from=today&to=2026-11-20T08:00:00'
      expect(await guest.call('GET', `${path}/audit-log?${query}`)).toMatchObject(
        queryProblems({
          action: 'enum',
          actor_id: 'string_pattern_mismatch',
          from: 'datetime_parsing',
          to: 'timezone_aware',
        }),
      )
    })

    // [threat 59]
    it('refuses a cursor that is not of this list', async () => {
      const { id, guest, path } = all
      const { next_cursor } = await logOf(guest, id, '?limit=1')
      const others = await organizationOf(guest)
      const refused = {
        status: 422,
        body: { detail: [{ loc: ['query', 'cursor'], type: 'value_error', msg: expect.any(String) }] },
      }
      expect(await guest.call('GET', `/api/organizations/${others}/audit-log?cursor=${next_cursor}`)).toMatchObject(
        refused,
      )
      for (const cursor of ['', 'not-ours', 'W10', `${next_cursor}x`]) {
        expect(await guest.call('GET', `${path}/audit-log?cursor=${cursor}`)).toMatchObject(refused)
      }
    })

    it.each([
      ['0', 'greater_than_equal'],
      ['101', 'less_than_equal'],
      ['many', 'int_parsing'],
      ['', 'int_parsing'],
      ['1.5', 'int_parsing'],
    ])('refuses a limit of %j', async (limit, type) => {
      const { status, body } = await all.guest.call('GET', `${all.path}/audit-log?limit=${limit}`)
      expect({ status, body }).toMatchObject(queryProblems({ limit: type }))
    })

    it('keeps each entry for 400 days, and then shows it no more', async () => {
      const { id } = all
      const stored = await bed.stack.auditEntries(id)
      expect(stored).toHaveLength(12)
      expect(stored.map(({ at, expiresAt }) => expiresAt - at / 1000 - 400 * DAY < 1)).not.toContain(false)
      expect(stored.map(({ at, expiresAt }) => expiresAt >= at / 1000 + 400 * DAY)).not.toContain(false)
    })
  })

  it('shows no entry to other roles and to strangers', async () => {
    const { path, billing_admin, member, stranger } = await team()
    expect((await billing_admin.call('GET', `${path}/audit-log`)).status).toBe(403)
    expect((await member.call('GET', `${path}/audit-log`)).status).toBe(403)
    expect((await stranger.call('GET', `${path}/audit-log`)).status).toBe(404)
  })

  it('has no entry of a request that was refused', async () => {
    const { id, path, owner, billing_admin, member, stranger } = await team()
    await member.call('PATCH', path, { name: 'Mine' })
    await billing_admin.call('POST', `${path}/invitations`, { email: 'a@example.com', role: 'owner' })
    await stranger.call('DELETE', `${path}/members/${member.id}`)
    await owner.call('POST', `${path}/leave`)
    await owner.call('PATCH', `${path}/members/${stranger.id}`, { role: 'owner' })
    await owner.call('DELETE', `${path}/invitations/${'A'.repeat(43)}`)
    await owner.call('POST', `${path}/transfer`, { user_id: owner.id })
    expect((await logOf(owner, id)).entries.map(({ action }) => action)).toEqual(['organization.created'])
  })

  it('has one entry of a change whose acknowledgement was lost, and of one that other changes delayed', async () => {
    const { id, path, owner, member } = await team()
    const lose = () => bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    lose()
    await owner.call('PATCH', path, { name: 'Beta' })
    lose()
    await owner.call('POST', `${path}/invitations`, { email: 'late@example.com', role: 'member' })
    lose()
    await owner.call('DELETE', `${path}/members/${member.id}`)
    await Promise.all(Array.from({ length: 5 }, () => owner.call('PATCH', path, { name: 'Gamma' })))
    expect((await logOf(owner, id)).entries.map(({ action }) => action)).toEqual([
      'organization.renamed',
      'member.removed',
      'member.invited',
      'organization.renamed',
      'organization.created',
    ])
  })
})
