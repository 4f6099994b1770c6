import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Invitation, Joiner } from '../../../lib/organizations/ports.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { type Account, linkDigestSchema, type User } from '../../../lib/users/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { entryBy } from '../members/entryBy.ts'

const now = Date.UTC(2026, 10, 21)
const newId = () => userIdSchema.parse(randomUUID())
const as = (userId: UserId) => ({ userId, securityRev: 0 })

let id: OrganizationId
let owner: UserId

const { calls, client, names } = await openDocuments()
const organizations = createOrganizationRecords(client, names)
const invitations = createInvitations(client, names)
const users = createUsers(client, 'accounts')
const accounts = createAccounts(client, 'accounts')

beforeEach(async () => {
  calls.reset()
  id = organizationIdSchema.parse(randomUUID())
  owner = newId()
  await users.create(userWith(`${owner}@example.com`, { id: owner }))
  await organizations.create({ id, name: 'Acme', createdAt: '2026-11-21T00:00:00Z' }, as(owner), entry())
})

const entry = () => entryBy(owner, id, now, { action: 'member.joined', detail: { role: 'member' } })

async function everything() {
  const scan = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? []
  return [...(await scan('accounts')), ...(await scan('billing')), ...(await scan('audit-log'))]
}

/** An invitation of an address that no other test has. */
async function invited(): Promise<Invitation> {
  const invitation: Invitation = {
    organizationId: id,
    id: randomUUID(),
    email: `${randomUUID()}@example.com`,
    role: 'member',
    tokenDigest: randomUUID(),
    invitedBy: owner,
    validUntil: now + 1000,
  }
  expect(await invitations.put(invitation, as(owner), entry())).toBe('written')
  return invitation
}

const userWith = (email: string, change: Partial<User> = {}): User => ({
  id: newId(),
  email,
  username: `u-${randomUUID().slice(0, 8)}`,
  isActive: true,
  isVerified: true,
  isSuperuser: false,
  createdAt: now,
  ...change,
})

/** A stored account that was never verified. */
async function unverified(email: string): Promise<Account> {
  const user = userWith(email, { isVerified: false })
  expect(await users.create(user, 'old hash')).toBe('created')
  const account = await accounts.find(user.id)
  if (!account) throw new Error('no account')
  return account
}

const register = (user: User): Joiner => ({ kind: 'register', user, passwordHash: 'hash' })
const claim = (account: Account, username = account.user.username): Joiner => ({
  kind: 'claim',
  account,
  username,
  passwordHash: 'new hash',
})
const accept = (invitation: Invitation, joiner: Joiner) =>
  invitations.accept(invitation, joiner, { now, entry: entry() })

/** Expects an outcome that leaves everything as it is. */
async function expectNothing(outcome: string, write: () => Promise<string>): Promise<void> {
  const before = await everything()
  expect(await write()).toBe(outcome)
  expect(await everything()).toEqual(before)
}

describe('Someone who joins with a new account', () => {
  it('has it with the membership, in one transaction', async () => {
    const invitation = await invited()
    const user = userWith(invitation.email)
    calls.reset()
    expect(await accept(invitation, register(user))).toBe('written')
    expect(calls.calls().map(({ operation }) => operation)).toEqual(['TransactWriteItems'])
    expect(await accounts.find(user.id)).toMatchObject({ user, passwordHash: 'hash', securityRev: 0 })
    expect((await organizations.read(id, as(user.id))).roleOf(user.id)).toBe('member')
  })

  it('has all of it where the answer of the store was lost', async () => {
    const invitation = await invited()
    calls.fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    expect(await accept(invitation, register(userWith(invitation.email)))).toBe('written')
  })

  it('chooses another username where only that is taken', async () => {
    const invitation = await invited()
    const other = userWith(`${randomUUID()}@example.com`)
    await users.create(other)
    const { username } = other
    await expectNothing('username_taken', () =>
      accept(invitation, register(userWith(invitation.email, { username: username.toUpperCase() }))),
    )
  })

  it('takes the address, and the name reserved for it, from a registration that was made meanwhile', async () => {
    const invitation = await invited()
    const { user: registration } = await unverified(invitation.email)
    const user = userWith(invitation.email, { username: registration.username })
    expect(await accept(invitation, register(user))).toBe('written')
    expect((await accounts.findByEmail(emailKey(invitation.email)))?.user).toEqual(user)
  })

  it.each<[string, (invitation: Invitation) => Promise<User>]>([
    [
      'the address has an account by now',
      async ({ email }) => {
        await users.create(userWith(email))
        return userWith(email)
      },
    ],
    [
      'the name and the address are taken, as by the same form',
      async ({ email }) => {
        const { username } = userWith(email)
        await users.create(userWith(email, { username }))
        return userWith(email, { username })
      },
    ],
    [
      'the invitation was used',
      async (invitation) => {
        expect(await accept(invitation, register(userWith(invitation.email)))).toBe('written')
        return userWith(`${randomUUID()}@example.com`)
      },
    ],
  ])('reads again where %s', async (_, before) => {
    const invitation = await invited()
    const user = await before(invitation)
    await expectNothing('conflict', () => accept(invitation, register(user)))
  })
})

describe('Someone who joins with an account that was never verified', () => {
  it('has a new password and is verified, and what was before has ended', async () => {
    const invitation = await invited()
    const account = await unverified(invitation.email)
    expect(await accept(invitation, claim(account))).toBe('written')
    expect(await accounts.find(account.user.id)).toMatchObject({
      user: { isVerified: true },
      passwordHash: 'new hash',
      securityRev: 1,
    })
  })

  it.each<[string, (account: Account) => Promise<Account>]>([
    [
      'was verified since',
      async (account) => {
        const link = {
          purpose: 'verify_email',
          userId: account.user.id,
          email: account.user.email,
          securityRev: 0,
          validUntil: now + 1,
        } as const
        const digest = linkDigestSchema.parse('a'.repeat(43))
        const links = createAccountLinks(client, 'accounts')
        await links.issue(digest, link)
        expect(await accounts.verifyEmail({ digest, link, user: account.user, now })).toBe('done')
        return account
      },
    ],
    [
      'has another password since',
      async (account) => {
        await accounts.changePassword(account, { passwordHash: 'x', keptFamily: undefined })
        return account
      },
    ],
    ['has another address', async (account) => ({ ...account, user: { ...account.user, email: 'other@example.com' } })],
  ])('reads again where it %s', async (_, change) => {
    const invitation = await invited()
    const account = await change(await unverified(invitation.email))
    await expectNothing('conflict', () => accept(invitation, claim(account)))
  })
})

describe('Someone who takes over an account that was never verified', () => {
  it('has the chosen name, and frees the name that a stranger chose', async () => {
    const invitation = await invited()
    const account = await unverified(invitation.email)
    const username = `mine-${randomUUID().slice(0, 8)}`
    expect(await accept(invitation, claim(account, username))).toBe('written')
    expect((await accounts.find(account.user.id))?.user).toMatchObject({ username, isVerified: true })
    const names = (await everything()).filter(({ sk }) => sk === 'USERNAME').map(({ pk }) => pk)
    expect(names).toContain(`USERNAME#${username}`)
    expect(names).not.toContain(`USERNAME#${account.user.username}`)
    const next = userWith(`${randomUUID()}@example.com`, { username: account.user.username })
    expect(await users.create(next)).toBe('created')
  })

  it('chooses another name where only that is taken', async () => {
    const invitation = await invited()
    const account = await unverified(invitation.email)
    const other = userWith(`${randomUUID()}@example.com`)
    await users.create(other)
    await expectNothing('username_taken', () => accept(invitation, claim(account, other.username)))
  })
})

describe('An invitation with a token that is used', () => {
  it('is not stored: the token works once', async () => {
    const invitation = await invited()
    expect(await accept(invitation, register(userWith(invitation.email)))).toBe('written')
    await expectNothing('conflict', () => invitations.put(invitation, as(owner), entry()))
  })
})

describe('The invited user', () => {
  it('declines with a live grant and the verified address only, and only the invitation that was read', async () => {
    const invitation = await invited()
    const user = userWith(invitation.email)
    await users.create(user)
    const decline = (change: Partial<Invitation> = {}, of = { by: as(user.id), email: user.email }) =>
      invitations.decline({ ...invitation, ...change }, { ...of, entry: entry() })
    const other = userWith(`${randomUUID()}@example.com`)
    await users.create(other)
    await expectNothing('conflict', () => decline({ tokenDigest: randomUUID() }))
    await expectNothing('conflict', () => decline({}, { by: as(other.id), email: user.email }))
    await expectNothing('conflict', () => decline({}, { by: { userId: user.id, securityRev: 1 }, email: user.email }))
    expect(await decline()).toBe('written')
    await expectNothing('conflict', () => decline())
  })
})
