import { randomUUID } from 'node:crypto'
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import { membershipKey } from '../../../lib/adapters/dynamodb/membershipStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Invitation } from '../../../lib/organizations/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { race } from '../../support/race.ts'
import { entryBy } from './entryBy.ts'

const now = Date.UTC(2026, 10, 21)
const newUser = () => userIdSchema.parse(randomUUID())
const as = (userId: UserId) => ({ userId, securityRev: 0 })

let id: OrganizationId
let owner: UserId
let member: UserId

const { client, names } = await openDocuments()
const organizations = createOrganizationRecords(client, names)
const invitations = createInvitations(client, names)
const seed = createOrganizationSeed(client, 'billing')

beforeEach(async () => {
  id = organizationIdSchema.parse(randomUUID())
  owner = (await guest()).id
  member = newUser()
  await organizations.create({ id, name: 'Acme', createdAt: '2026-11-21T00:00:00Z' }, as(owner), entry())
  await seed.setMembership(id, member, 'member')
})

const itemsOf = async (TableName: string) =>
  (await client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? []
const everything = async () => [...(await itemsOf('billing')), ...(await itemsOf('audit-log'))]

const entry = () => entryBy(owner, id, now, { action: 'organization.renamed', detail: { from: 'Acme', to: 'Beta' } })
const newInvitation = (change: Partial<Invitation> = {}): Invitation => ({
  organizationId: id,
  id: randomUUID(),
  email: 'guest@example.com',
  role: 'member',
  tokenDigest: randomUUID(),
  invitedBy: owner,
  validUntil: now + 1000,
  ...change,
})

/** A stored user with the invited address. */
async function guest(flags: { isVerified?: boolean; isActive?: boolean; email?: string } = {}) {
  const userId = newUser()
  const { email = 'guest@example.com', isVerified = true, isActive = true } = flags
  const user = { id: userId, email, username: `g-${userId}`, isVerified, isActive, isSuperuser: false, createdAt: now }
  await client.send(new PutCommand({ TableName: 'accounts', Item: { pk: `USER#${userId}`, sk: 'USER', ...user } }))
  return { ...user, email: 'guest@example.com' }
}

/** Expects a write to return `conflict` and to store nothing. */
async function expectTooLate(write: () => Promise<string>): Promise<void> {
  const before = await everything()
  expect(await write()).toBe('conflict')
  expect(await everything()).toEqual(before)
}

describe('A write by a former owner', () => {
  beforeEach(async () => {
    await seed.setMembership(id, member, 'owner')
    await seed.setMembership(id, owner, 'member')
  })

  it.each<[string, () => Promise<string>]>([
    ['rename', () => organizations.rename(id, { by: as(owner), from: 'Acme', to: 'Late', entry: entry() })],
    [
      'a change of another’s role',
      () =>
        organizations.changeRoles(id, {
          by: as(owner),
          changes: [{ userId: member, from: 'owner', to: 'member' }],
          entry: entry(),
        }),
    ],
    [
      'a change of their own role',
      () =>
        organizations.changeRoles(id, {
          by: as(owner),
          changes: [{ userId: owner, from: 'owner', to: 'member' }],
          entry: entry(),
        }),
    ],
    ['an invitation', () => invitations.put(newInvitation(), as(owner), entry())],
    ['a revocation', () => invitations.revoke(id, { id: 'any', by: as(owner), entry: entry() })],
  ])('is a conflict: %s', async (_, write) => {
    await expectTooLate(write)
  })
})

describe('A change of roles', () => {
  it('is a conflict when the role has changed, or the member was removed', async () => {
    const changes = [{ userId: member, from: 'billing_admin', to: 'owner' } as const]
    await expectTooLate(() => organizations.changeRoles(id, { by: as(owner), changes, entry: entry() }))
    await client.send(new DeleteCommand({ TableName: 'billing', Key: membershipKey(id, member) }))
    await expectTooLate(() =>
      organizations.changeRoles(id, {
        by: as(owner),
        changes: [{ userId: member, from: 'member', to: null }],
        entry: entry(),
      }),
    )
  })

  it('is refused if it would remove the last owner, and writes nothing', async () => {
    const before = await everything()
    const promoteAndGo = [{ userId: owner, from: 'owner', to: null } as const]
    expect(await organizations.changeRoles(id, { by: as(owner), changes: promoteAndGo, entry: entry() })).toBe(
      'last_owner',
    )
    expect(await everything()).toEqual(before)
  })

  // [asvs 2.3.3]
  it('writes all of a transfer or nothing', async () => {
    const demote = { userId: owner, from: 'owner', to: 'billing_admin' } as const
    const receive = { userId: member, from: 'billing_admin', to: 'owner' } as const
    await expectTooLate(() =>
      organizations.changeRoles(id, { by: as(owner), changes: [receive, demote], entry: entry() }),
    )
  })
})

/** A user who signs in to accept. */
const joining = ({ id: userId, email }: { id: UserId; email: string }) =>
  ({ kind: 'sign_in', caller: as(userId), email }) as const

describe('An acceptance', () => {
  const put = async (change: Partial<Invitation> = {}) => {
    const invitation = newInvitation(change)
    expect(await invitations.put(invitation, as(owner), entry())).toBe('written')
    return invitation
  }

  it('is written once, and records who used the token', async () => {
    const invitation = await put({ role: 'owner' })
    const user = await guest()
    expect(await invitations.accept(invitation, joining(user), { now, entry: entry() })).toBe('written')
    await expectTooLate(() => invitations.accept(invitation, joining(user), { now, entry: entry() }))
    const found = await invitations.find(invitation.tokenDigest, user.id)
    expect(found).toMatchObject({ usedBy: user.id, invitation: undefined })
    expect(found?.roleOf(user.id)).toBe('owner')
  })

  it.each([
    ['is not verified', { isVerified: false }],
    ['is switched off', { isActive: false }],
    ['has another address', { email: 'other@example.com' }],
  ])('is a conflict when the user %s by now', async (_, flags) => {
    const invitation = await put()
    const user = await guest(flags)
    await expectTooLate(() => invitations.accept(invitation, joining(user), { now, entry: entry() }))
  })

  it('is a conflict once the invitation expired, was revoked or replaced', async () => {
    const user = await guest()
    const invitation = await put()
    await expectTooLate(() =>
      invitations.accept(invitation, joining(user), { now: invitation.validUntil, entry: entry() }),
    )
    const newer = await put({ id: invitation.id })
    await expectTooLate(() => invitations.accept(invitation, joining(user), { now, entry: entry() }))
    await invitations.revoke(id, { id: newer.id, by: as(owner), entry: entry() })
    await expectTooLate(() => invitations.accept(newer, joining(user), { now, entry: entry() }))
  })

  it('is a conflict when the inviter is no longer an owner, or the user is a member', async () => {
    const invitation = await put()
    await expectTooLate(() =>
      invitations.accept(invitation, joining({ id: member, email: invitation.email }), { now, entry: entry() }),
    )
    await seed.setMembership(id, owner, 'billing_admin')
    const user = await guest()
    await expectTooLate(() => invitations.accept(invitation, joining(user), { now, entry: entry() }))
  })

  // [asvs 2.3.4]
  it('has one winner of many users at once', async () => {
    const invitation = await put()
    const users = await race(() => guest())
    const outcomes = await Promise.all(
      users.map((user) => invitations.accept(invitation, joining(user), { now, entry: entry() })),
    )
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1)
    expect((await organizations.readMembers(id)).members).toHaveLength(3)
  })
})

describe('An invitation sent again', () => {
  it('is a conflict once the earlier invitation was revoked, used or replaced', async () => {
    const sent = newInvitation()
    const again = () => {
      const next = { ...sent, tokenDigest: randomUUID() }
      return invitations.put(next, as(owner), entry(), sent)
    }
    await invitations.put(sent, as(owner), entry())
    expect(await again()).toBe('written')
    await expectTooLate(again)
    const user = await guest()
    await invitations.put(sent, as(owner), entry())
    await invitations.revoke(id, { id: sent.id, by: as(owner), entry: entry() })
    await expectTooLate(again)
    await invitations.put(sent, as(owner), entry())
    await invitations.accept(sent, joining(user), { now, entry: entry() })
    await expectTooLate(again)
  })
})

describe('A stored invitation', () => {
  it('is two items with its expiry, and one that lists it by a digest of its address; no other item of the billing table expires', async () => {
    const invitation = newInvitation()
    await invitations.put(invitation, as(owner), entry())
    const items = (await everything()).filter(({ tokenDigest, pk }) =>
      [tokenDigest, pk].some((text) => String(text).includes(invitation.tokenDigest)),
    )
    const expiries = items?.map(({ validUntil }) => validUntil)
    expect(expiries).toEqual([invitation.validUntil, invitation.validUntil, invitation.validUntil])
    expect(tables.billing).not.toHaveProperty('timeToLiveAttribute')
  })
})
