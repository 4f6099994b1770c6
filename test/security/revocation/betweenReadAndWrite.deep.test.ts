import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import { userKey } from '../../../lib/adapters/dynamodb/keys.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createProfiles, createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import { type OrganizationId, organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { createOrganization } from '../../../lib/organizations/createOrganization.ts'
import { acceptInvitation } from '../../../lib/organizations/invitations/acceptInvitation.ts'
import { digestInvitationToken, invitationIdOf } from '../../../lib/organizations/invitations/invitationDigests.ts'
import { inviteMember, resendInvitation } from '../../../lib/organizations/invitations/inviteMember.ts'
import { revokeInvitation } from '../../../lib/organizations/invitations/revokeInvitation.ts'
import { changeMemberRole } from '../../../lib/organizations/members/changeMemberRole.ts'
import { leaveOrganization } from '../../../lib/organizations/members/leaveOrganization.ts'
import { removeMember } from '../../../lib/organizations/members/removeMember.ts'
import { transferOrganization } from '../../../lib/organizations/members/transferOrganization.ts'
import { renameOrganization } from '../../../lib/organizations/renameOrganization.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { plainBranding } from '../../support/branding.ts'
import { setAttributes } from '../../support/setAttributes.ts'

const now = Date.UTC(2026, 10, 21)

const { client, names: tables } = await openDocuments()

function openStores() {
  return {
    organizations: createOrganizationRecords(client, tables),
    invitations: createInvitations(client, tables),
    seed: createOrganizationSeed(client, 'billing'),
    users: createUsers(client, 'accounts'),
    accounts: createAccounts(client, 'accounts'),
  }
}

async function newCaller(): Promise<Caller> {
  const id = userIdSchema.parse(randomUUID())
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  await openStores().users.create({
    id,
    email: `${id}@example.com`,
    username: id.slice(0, 13),
    createdAt: now,
    ...flags,
  })
  return { userId: id, securityRev: 0, familyId: `family of ${id}` }
}

/** An organization of two owners, with a member, and an invitation to a user who is in none. */
async function scene() {
  const { organizations, invitations, seed } = openStores()
  const [owner, other, member, guest] = [await newCaller(), await newCaller(), await newCaller(), await newCaller()]
  const organizationId = organizationIdSchema.parse(randomUUID())
  const entry = { organizationId, id: randomUUID(), at: now, actor: { type: 'system', id: null } } as const
  const created = { action: 'organization.created', target: organizationId, detail: { name: 'Acme' } } as const
  await organizations.create({ id: organizationId, name: 'Acme', createdAt: '2026-11-21T00:00:00Z' }, owner, {
    ...entry,
    ...created,
  })
  await seed.setMembership(organizationId, other.userId, 'owner')
  await seed.setMembership(organizationId, member.userId, 'member')
  const token = randomUUID()
  const email = `${guest.userId}@example.com`
  const invitation = {
    organizationId,
    id: invitationIdOf(email),
    email,
    role: 'owner',
    tokenDigest: digestInvitationToken(token),
    invitedBy: other.userId,
    validUntil: now + 60_000,
  } as const
  const joining = { action: 'member.invited', target: invitation.id, detail: { role: 'owner' } } as const
  const invited = { ...entry, id: randomUUID(), ...joining }
  expect(await invitations.put(invitation, other, invited)).toBe('written')
  return { organizationId, owner, member, guest, token, invitationId: invitation.id }
}

async function refuseMail(): Promise<never> {
  throw new Error('A mail was sent')
}

/** The dependencies of every operation, in which something happens once, right after what is read first. */
function depsWith(happens: () => Promise<unknown>) {
  const { organizations, invitations, users } = openStores()
  let done: Promise<unknown> | undefined
  const first = async <Read>(read: Read): Promise<Read> => {
    done ??= happens()
    await done
    return read
  }
  return {
    organizations: {
      ...organizations,
      read: async (...args: Parameters<typeof organizations.read>) => first(await organizations.read(...args)),
    },
    invitations,
    users: { ...users, findCaller: async (caller: Caller) => first(await users.findCaller(caller)) },
    ids: { uuid: () => randomUUID(), secret: () => randomUUID() },
    clock: { now: () => now, sync: async () => {} },
    mailer: { send: refuseMail, discard: refuseMail },
    mailBudgets: { spend: async () => 'spent' as const },
    profiles: createProfiles(client, tables.accounts),
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    accountUrl: 'https://api.console.example.com',
    branding: plainBranding,
  }
}

type Scene = Awaited<ReturnType<typeof scene>>
type Deps = ReturnType<typeof depsWith>

/** Each operation, and who makes it. */
const operations: Readonly<
  Record<string, [who: (scene: Scene) => Caller, act: (deps: Deps, scene: Scene) => Promise<unknown>]>
> = {
  'a new organization': [
    ({ owner }) => owner,
    (deps, { owner: caller }) => createOrganization(deps, { caller, name: 'Mine' }),
  ],
  'a new name': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller }) => renameOrganization(deps, { organizationId, caller, name: 'Mine' }),
  ],
  'another owner': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller, member }) =>
      changeMemberRole(deps, { organizationId, caller, memberId: member.userId, role: 'owner' }),
  ],
  'a change of the caller’s own role': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller }) =>
      changeMemberRole(deps, { organizationId, caller, memberId: caller.userId, role: 'member' }),
  ],
  'a removal': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller, member }) =>
      removeMember(deps, { organizationId, caller, memberId: member.userId }),
  ],
  'a transfer': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller, member }) =>
      transferOrganization(deps, { organizationId, caller, memberId: member.userId }),
  ],
  'a departure': [
    ({ member }) => member,
    (deps, { organizationId, member: caller }) => leaveOrganization(deps, { organizationId, caller }),
  ],
  'an invitation': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller }) =>
      inviteMember(deps, { organizationId, caller, email: 'guest@example.com', role: 'owner', language: 'en' }),
  ],
  'an invitation sent again': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller, invitationId }) =>
      resendInvitation(deps, { organizationId, caller, invitationId, language: 'en' }),
  ],
  'the revocation of an invitation': [
    ({ owner }) => owner,
    (deps, { organizationId, owner: caller, invitationId }) =>
      revokeInvitation(deps, { organizationId, caller, invitationId }),
  ],
  'an acceptance': [
    ({ guest }) => guest,
    (deps, { guest: caller, token }) => acceptInvitation(deps, { caller, token }),
  ],
}

async function stored(organizationId: OrganizationId) {
  const scan = async (TableName: string) =>
    (await client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? []
  return [...(await scan('billing')), ...(await scan('audit-log'))].filter(
    (item) => JSON.stringify(item).includes(organizationId) || String(item.pk).startsWith('USER#'),
  )
}

async function newPassword({ userId }: Caller, keptFamily?: string): Promise<void> {
  const { accounts } = openStores()
  const account = await accounts.find(userId)
  if (account === undefined) throw new Error('the account is stored')
  expect(await accounts.changePassword(account, { passwordHash: 'new', keptFamily })).toBe('changed')
}

const switchOff = ({ userId }: Caller) => setAttributes(client, 'accounts', userKey(userId), { isActive: false })

/** @param end what happens to the caller between the first read and the write */
async function expectNothingWritten(
  who: (scene: Scene) => Caller,
  act: (deps: Deps, scene: Scene) => Promise<unknown>,
  end: (caller: Caller) => Promise<unknown>,
): Promise<void> {
  const given = await scene()
  const before = await stored(given.organizationId)
  const deps = depsWith(() => end(who(given)))
  await expect(act(deps, given)).rejects.toMatchObject({ code: 'invalid_token' })
  expect(await stored(given.organizationId)).toEqual(before)
}

const names = Object.entries(operations).map(([name, [who, act]]) => [name, who, act] as const)

describe('A request that read before its grant ended', () => {
  // [asvs 8.3.2 15.4.2] [threat 15.1]
  it.each(names)('writes nothing after a reset of the password: %s', async (_, who, act) => {
    await expectNothingWritten(who, act, newPassword)
  })

  it.each(names)('writes nothing after its user was switched off: %s', async (_, who, act) => {
    await expectNothingWritten(who, act, switchOff)
  })

  it.each(names.filter(([name]) => !name.startsWith('an invitation')))(
    'writes after a new password that kept its family: %s',
    async (_, who, act) => {
      const given = await scene()
      const before = await stored(given.organizationId)
      await act(
        depsWith(() => newPassword(who(given), who(given).familyId)),
        given,
      )
      expect(await stored(given.organizationId)).not.toEqual(before)
    },
  )
})
