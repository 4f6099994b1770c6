import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createOperatedAccounts } from '../../../lib/adapters/dynamodb/operatedAccountStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { GRACE } from '../../../lib/core/deletion.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { newUser } from '../../support/newUser.ts'
import { race, racers } from '../../support/race.ts'

const now = Date.UTC(2026, 10, 22)

const { client, names } = await openDocuments()
const operated = createOperatedAccounts(client, names)

const newOrganizationId = () => organizationIdSchema.parse(randomUUID())

function entryOf(target: UserId, organizationId = newOrganizationId()): AuditEntry {
  const actor = { type: 'operator', id: null } as const
  return { organizationId, id: randomUUID(), at: now, actor, action: 'user.suspended', target, detail: {} }
}

async function register(): Promise<UserId> {
  const user = newUser(now)
  await createUsers(client, 'accounts').create(user, 'hash')
  return user.id
}

async function entriesAbout(userId: UserId): Promise<unknown[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'audit-log', ConsistentRead: true }))
  return Items.filter(({ target }) => target === userId)
}

async function found(userId: UserId) {
  const one = await operated.find(userId)
  if (one === undefined) throw new Error('The user was created')
  return one
}

const suspended = { isActive: false, grantsEnd: true }

describe('The accounts that operators change', () => {
  it('are found with the organizations of their user, and not where there is no such user', async () => {
    const userId = await register()
    expect((await found(userId)).organizations).toEqual([])
    const organization = { id: newOrganizationId(), name: 'Acme', createdAt: '2026-11-22T00:00:00Z' }
    const owner = { userId, securityRev: 0 }
    await createOrganizationRecords(client, names).create(organization, owner, entryOf(userId, organization.id))
    expect((await found(userId)).organizations).toEqual([{ organization, role: 'owner' }])
    expect(await operated.find(userIdSchema.parse(randomUUID()))).toBeUndefined()
  })

  it('are changed once of 20 at the same time, with the entries of that change alone', async () => {
    const userId = await register()
    const { account } = await found(userId)
    const outcomes = await race(() => operated.change(account, suspended, [entryOf(userId)]))
    expect(outcomes.toSorted()).toEqual(['changed', ...Array<string>(racers - 1).fill('conflict')])
    expect((await found(userId)).account).toMatchObject({ user: { isActive: false }, securityRev: 1 })
    expect(await entriesAbout(userId)).toHaveLength(1)
  })

  it('are not changed, and no entry is written, once the password was changed', async () => {
    const userId = await register()
    const { account } = await found(userId)
    await createAccounts(client, 'accounts').changePassword(account, { passwordHash: 'new', keptFamily: 'kept' })
    expect(await operated.change(account, suspended, [entryOf(userId)])).toBe('conflict')
    expect((await found(userId)).account).toMatchObject({ user: { isActive: true }, keptFamily: 'kept' })
    expect(await entriesAbout(userId)).toEqual([])
    expect(await operated.change((await found(userId)).account, suspended, [])).toBe('changed')
    expect((await found(userId)).account).toMatchObject({ securityRev: 2, keptFamily: undefined })
  })

  it('are not changed, and keep their deletion, where that was asked for since', async () => {
    const userId = await register()
    const { account } = await found(userId)
    const deletion = { requestedAt: now, eraseAfter: now + GRACE, language: 'en' as const, organizations: [] }
    const plan = { erased: [], handedOver: [], entries: [] }
    expect(await createAccountDeletions(client, names).schedule(account, deletion, plan)).toBe('written')
    expect(await operated.change(account, suspended, [entryOf(userId)])).toBe('conflict')
    expect((await found(userId)).account).toMatchObject({ user: { isActive: false }, securityRev: 1, deletion })
    expect(await entriesAbout(userId)).toEqual([])
  })

  it('are had back with the organization that is deleted with them, once, and not once the erasure has begun', async () => {
    const [organization, deletions] = [newOrganizationId(), createAccountDeletions(client, names)]
    const userId = await register()
    const by = { userId, securityRev: 0 }
    const created = { id: organization, name: 'Acme', createdAt: '2026-11-22T00:00:00Z' }
    await createOrganizationRecords(client, names).create(created, by, entryOf(userId, organization))
    const deletion = {
      requestedAt: now,
      eraseAfter: now + GRACE,
      language: 'en' as const,
      organizations: [organization],
    }
    const ask = async (securityRev: number) => {
      const { account, places } = await deletions.read({ userId, securityRev })
      const erased = places.map((place) => ({ ...place, entry: entryOf(userId, organization) }))
      expect(await deletions.schedule(account, deletion, { erased, handedOver: [] })).toBe('written')
      return (await found(userId)).account
    }
    const first = await ask(0)
    const entries = [entryOf(userId, organization), entryOf(userId)]
    const outcomes = await race(() => operated.takeDeletionBack(first, deletion, entries))
    expect(outcomes.toSorted()).toEqual(['changed', ...Array<string>(racers - 1).fill('conflict')])
    const { account, organizations } = await found(userId)
    expect(account).toMatchObject({ user: { isActive: true }, securityRev: 2 })
    expect(account.deletion).toBeUndefined()
    expect(organizations).toEqual([{ organization: created, role: 'owner' }])
    const due = await deletions.listDue(now + 2 * GRACE)
    expect(due.filter(({ id }) => id === userId)).toEqual([])
    expect(await entriesAbout(userId)).toHaveLength(4)

    const second = await ask(2)
    expect(await deletions.begin(userId, deletion, deletion.eraseAfter)).toBe('begun')
    expect(await operated.takeDeletionBack(second, deletion, [])).toBe('conflict')
    expect((await found(userId)).account.deletion).toMatchObject({ erasingSince: deletion.eraseAfter })
  })

  it('keep their revision where no grant is to end', async () => {
    const userId = await register()
    await operated.change((await found(userId)).account, suspended, [])
    await operated.change((await found(userId)).account, { isActive: true, grantsEnd: false }, [])
    expect((await found(userId)).account).toMatchObject({ user: { isActive: true }, securityRev: 1 })
  })

  it('have an entry in each of 250 organizations', async () => {
    const userId = await register()
    const entries = Array.from({ length: 250 }, () => entryOf(userId))
    expect(await operated.change((await found(userId)).account, suspended, entries)).toBe('changed')
    expect(await entriesAbout(userId)).toHaveLength(250)
  })
})
