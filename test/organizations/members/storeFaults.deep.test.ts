import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { CommonError } from '../../../lib/core/errors.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { inviteMember } from '../../../lib/organizations/invitations/inviteMember.ts'
import type { Invitation } from '../../../lib/organizations/ports.ts'
import { retryOnConflict } from '../../../lib/organizations/retryOnConflict.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { plainBranding } from '../../support/branding.ts'
import { type Answer, peopleOf } from './people.ts'

const bed = useBillingStack()
const { person, team, stored, expectOwners, expectTold, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

type Team = Awaited<ReturnType<typeof team>>

/** Every operation on an organization that writes in a transaction. */
const transactions: Record<string, (all: Team) => Promise<Answer>> = {
  rename: ({ owner, path }) => owner.call('PATCH', path, { name: 'Renamed' }),
  'a sign-in rule': ({ owner, path }) => owner.call('PATCH', `${path}/sign-in-rules`, { idle_hours: 12 }),
  'a change of role': ({ owner, path, member }) =>
    owner.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' }),
  removal: ({ owner, path, member }) => owner.call('DELETE', `${path}/members/${member.id}`),
  transfer: ({ owner, path, member }) => owner.call('POST', `${path}/transfer`, { user_id: member.id }),
  leaving: ({ member, path }) => member.call('POST', `${path}/leave`),
  invitation: ({ owner, path }) =>
    owner.call('POST', `${path}/invitations`, { email: 'guest@example.com', role: 'member' }),
  revocation: ({ owner, path }) => owner.call('DELETE', `${path}/invitations/${'A'.repeat(43)}`),
}

describe.each(Object.entries(transactions))('Given a store in trouble: %s', (name, send) => {
  // No invitation is there: the write is refused, which a store in trouble must not change.
  const done = name === 'revocation' ? [404] : [200, 202, 204]

  // [catch transactWrite.transactWriteOrConflict]
  it('succeeds although other transactions conflict longer than one write retries', async () => {
    const all = await team()
    const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }]
    bed.stack.dynamoDb.fail({
      operation: 'TransactWriteItems',
      times: 4,
      error: { type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', CancellationReasons },
    })
    const before = await stored(all.id)
    expect(done).toContain((await send(all)).status)
    await expectTold(all.id, before)
  })

  it('is done once when the answer of the store was lost', async () => {
    const all = await team()
    const before = await stored(all.id)
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect(done).toContain((await send(all)).status)
    await expectTold(all.id, before)
    const { roles } = await stored(all.id)
    await expectOwners(all.id, Object.values(roles).filter((role) => role === 'owner').length)
  })

  it('answers 503 and changes nothing when the store refuses to write, and is safe to send again', async () => {
    const all = await team()
    const before = await stored(all.id)
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    expect(await send(all)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(await stored(all.id)).toEqual(before)
    await expectTold(all.id, before)
    expect(done).toContain((await send(all)).status)
    await expectTold(all.id, before)
  })
})

describe('Given an acceptance whose answer was lost', () => {
  it('answers 200, and the member is added once', async () => {
    const { owner, path, id } = await team()
    const guest = await person()
    await owner.call('POST', `${path}/invitations`, { email: guest.email, role: 'owner' })
    const [token, before] = [await tokenMailedTo(guest.email), await stored(id)]
    bed.stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    const answer = await guest.call('POST', '/api/organizations/invitations/accept', { token })
    expect(answer).toMatchObject({ status: 200, body: { role: 'owner' } })
    await expectOwners(id, 2)
    await expectTold(id, before)
  })
})

describe('Given organizations that keep changing', () => {
  it('throws service_unavailable after ten attempts', async () => {
    let tries = 0
    const never = retryOnConflict(async () => {
      tries += 1
      return 'conflict'
    })
    await expect(never).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(tries).toBe(10)
  })
})

describe('Given a mail that is not accepted', () => {
  it('throws service_unavailable, and a repeated invitation has another token', async () => {
    const organization = {
      id: organizationIdSchema.parse(randomUUID()),
      name: 'Acme',
      createdAt: '2026-01-15T09:00:00Z',
    }
    const userId = userIdSchema.parse(randomUUID())
    const put: Invitation[] = []
    const mails: Mail[] = []
    let unavailable = true
    const deps: Parameters<typeof inviteMember>[0] = {
      organizations: { read: async () => ({ organization, roleOf: () => 'owner' }) },
      invitations: {
        findCurrent: async () => undefined,
        put: async (invitation) => {
          put.push(invitation)
          return 'written'
        },
      },
      users: {
        find: async (id) => ({
          ...{ id, email: 'owner@example.com', username: 'owner', createdAt: 0 },
          ...{ isActive: true, isVerified: true, isSuperuser: false },
        }),
      },
      mailer: {
        send: async (mail) => {
          if (unavailable) throw new CommonError('service_unavailable')
          mails.push(mail)
        },
        discard: async () => {},
      },
      mailBudgets: { spend: async () => 'spent' },
      ids: { secret: () => randomUUID(), uuid: () => randomUUID() },
      clock: { now: () => 0, sync: async () => {} },
      accountUrl: 'https://api.console.example.com',
      branding: plainBranding,
    }
    const invited = { email: 'guest@example.com', role: 'member', language: 'en' } as const
    const request = { organizationId: organization.id, caller: { userId, securityRev: 0 }, ...invited }
    await expect(inviteMember(deps, request)).rejects.toMatchObject({ code: 'service_unavailable' })
    unavailable = false
    const sent = await inviteMember(deps, request)
    expect(put.map(({ id }) => id)).toEqual([sent.id, sent.id])
    expect(new Set(put.map(({ tokenDigest }) => tokenDigest)).size).toBe(2)
    expect(mails).toHaveLength(1)
  })
})
