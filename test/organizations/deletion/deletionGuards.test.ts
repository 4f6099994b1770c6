import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import { createOrganizationDeletions } from '../../../lib/adapters/dynamodb/organizationDeletionStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createOutbox } from '../../../lib/adapters/dynamodb/outboxStore.ts'
import { createProfiles, createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { readClaims } from '../../../lib/billing/checkout/claimLines.ts'
import { GRACE } from '../../../lib/core/deletion.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { organizationErased } from '../../../lib/organizations/deletion/mails.ts'
import { notifyOwners } from '../../../lib/organizations/deletion/notifyOwners.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import * as fixtures from '../../billing/fixtures.ts'
import { plainBranding } from '../../support/branding.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'
import { newUser } from '../../support/newUser.ts'
import { entryBy } from '../members/entryBy.ts'

const NOW = Date.UTC(2026, 0, 15)
const deletion = { requestedAt: NOW, eraseAfter: NOW + GRACE, language: 'en' } as const

const { client, names } = await openDocuments()

/** An organization with its owner, and a purchase of it that was read before anything was deleted. */
async function organization() {
  const id = organizationIdSchema.parse(randomUUID())
  const owner = newUser(NOW)
  const by = { userId: owner.id, securityRev: 0 }
  await createUsers(client, names.accounts).create(owner)
  const entry = () => entryBy(owner.id, id, NOW, { action: 'organization.deletion_scheduled', detail: {} })
  const created = { id, name: 'Acme', createdAt: '2026-01-15T00:00:00Z' }
  await createOrganizationRecords(client, names).create(created, by, entry())
  const records = createBillingRecords(client, names)
  const deletions = createOrganizationDeletions(client, names)
  const { account } = await records.readSlots(id)
  if (!account) throw new Error('no account')
  const next = { ...fixtures.pendingSlot(), organizationId: id, n: 1, rev: 1 }
  return {
    deletions,
    id,
    by,
    entry,
    /** Another user, a member. */
    async setMember() {
      const user = newUser(NOW)
      await createUsers(client, names.accounts).create(user)
      const member = { userId: user.id, email: user.email, securityRev: 0 }
      await createOrganizationSeed(client, names.billing).setMembership(id, member.userId, 'member')
      return member
    },
    claim: () => records.commit({ next }, account),
    /** The claim of a purchase without a coupon, and what it lost to. */
    async claimAlone() {
      expect(await records.commit({ next })).toBeNull()
      const [lost] = await readClaims({ deps: { records }, account }, [next])
      return lost
    },
    schedule: () => deletions.schedule(id, { by, deletion, entry: entry() }),
    restore: () => deletions.restore(id, { by, deletion, entry: entry() }),
    begin: (now = deletion.eraseAfter) => deletions.begin(id, deletion, now),
  }
}

describe('Of a purchase and a deletion that were both decided on before', () => {
  it('the purchase is not claimed after the deletion', async () => {
    const { schedule, claim, restore } = await organization()
    expect(await schedule()).toBe('written')
    expect(await claim()).toMatchObject({ accountChanged: true })
    expect(await restore()).toBe('written')
    expect(await claim()).toBeNull()
  })

  it('the purchase that was claimed by itself is not sent after the deletion', async () => {
    const { schedule, claimAlone, begin } = await organization()
    expect(await schedule()).toBe('written')
    expect(await claimAlone()).toMatchObject({ accountChanged: true, slot: undefined })
    expect(await begin()).toBe('held')
  })

  it('the deletion is not planned after the purchase was claimed by itself, and it is sent', async () => {
    const { schedule, claimAlone } = await organization()
    expect(await claimAlone()).toBeNull()
    expect(await schedule()).toBe('conflict')
  })

  it('the deletion is not planned after the purchase', async () => {
    const { schedule, claim, deletions, id } = await organization()
    expect(await claim()).toBeNull()
    expect(await schedule()).toBe('conflict')
    expect(await deletions.listHeld(id)).toHaveLength(1)
    expect((await deletions.find(id))?.deletion).toBeUndefined()
  })
})

describe('Of a promotion to owner and the deletion of the account, each decided on before the other', () => {
  it('only the first is done', async () => {
    const { id, by, entry, setMember } = await organization()
    const member = await setMember()
    const accounts = createAccountDeletions(client, names)
    const promote = () => {
      const changes = [{ userId: member.userId, from: 'member', to: 'owner' } as const]
      return createOrganizationRecords(client, names).changeRoles(id, { by, changes, entry: entry() })
    }
    const { account } = await accounts.read(member)
    const schedule = (of = account) =>
      accounts.schedule(of, { ...deletion, organizations: [] }, { erased: [], handedOver: [] })
    expect(await promote()).toBe('written')
    expect(await schedule()).toBe('conflict')
    const other = await setMember()
    const read = await accounts.read(other)
    expect(await schedule(read.account)).toBe('written')
    const changes = [{ userId: other.userId, from: 'member', to: 'owner' } as const]
    const late = { by, changes, entry: entry() }
    expect(await createOrganizationRecords(client, names).changeRoles(id, late)).toBe('member_deleting')
  })
})

/** Two ways of becoming an owner by oneself, each decided on before a deletion of the account. */
const becomingOwner = {
  'creating an organization': async (member: Grantee) => {
    const { entry } = await organization()
    const created = { id: organizationIdSchema.parse(randomUUID()), name: 'Other', createdAt: '2026-01-15T00:00:00Z' }
    return () => createOrganizationRecords(client, names).create(created, member, entry())
  },
  'accepting as an owner': async (member: Grantee) => {
    const { id, by, entry } = await organization()
    const invitations = createInvitations(client, names)
    const invitation = {
      ...{
        organizationId: id,
        id: randomUUID(),
        email: member.email,
        role: 'owner' as const,
        tokenDigest: randomUUID(),
      },
      ...{ invitedBy: by.userId, invitedAt: NOW, validUntil: NOW + 1000, expiresAt: NOW + 1000 },
    }
    await invitations.put(invitation, by, entry())
    const joiner = { kind: 'sign_in', caller: member, email: member.email } as const
    return async () => {
      const outcome = await invitations.accept(invitation, joiner, { now: NOW, entry: entry() })
      if (outcome !== 'written') throw new Error(outcome)
    }
  },
}
type Grantee = Awaited<ReturnType<Awaited<ReturnType<typeof organization>>['setMember']>>

describe.each(Object.entries(becomingOwner))(
  'Of %s and the deletion of the account, each decided on before the other',
  (_, prepare) => {
    it('only the first is done', async () => {
      const { setMember } = await organization()
      const accounts = createAccountDeletions(client, names)
      const schedule = async ({ account }: Awaited<ReturnType<typeof accounts.read>>) =>
        accounts.schedule(account, { ...deletion, organizations: [] }, { erased: [], handedOver: [] })
      const [member, other] = [await setMember(), await setMember()]
      const [read, readOther] = [await accounts.read(member), await accounts.read(other)]
      const [become, becomeLate] = [await prepare(member), await prepare(other)]
      await become()
      expect(await schedule(read)).toBe('conflict')
      expect(await schedule(readOther)).toBe('written')
      await expect(becomeLate()).rejects.toThrow()
      expect((await accounts.listPlaces(other.userId)).map(({ role }) => role)).toEqual(['member'])
    })
  },
)

describe('Of a restoration and an erasure', () => {
  it('the erasure begins at its time and no sooner, and again where it has begun', async () => {
    const { schedule, begin } = await organization()
    await schedule()
    expect(await begin(deletion.eraseAfter - 1)).toBe('not_due')
    expect(await begin()).toBe('begun')
    expect(await begin()).toBe('begun')
  })

  it('nothing is restored once it has begun, and nothing begins once it was restored', async () => {
    const [first, second] = [await organization(), await organization()]
    await first.schedule()
    await first.begin()
    expect(await first.restore()).toBe('conflict')
    await second.schedule()
    expect(await second.restore()).toBe('written')
    expect(await second.begin()).toBe('not_due')
  })
})

describe('A mail about a deletion that is not taken', () => {
  // [catch notify.notify]
  it('is logged, and keeps nothing from being done', async () => {
    const { id, deletions } = await organization()
    const logged: string[] = []
    const profiles = createProfiles(client, names.accounts)
    const send = () => Promise.reject(new Error('not taken'))
    const mailer = { send, discard: send }
    const error = (...entry: unknown[]) => void logged.push(String(entry[0]))
    const logger = { info: () => {}, warn: () => {}, error }
    const organizationDeleted = { id, name: 'Acme', createdAt: '2026-01-15T00:00:00Z', deletion }
    const noBudgets = { mailBudgets: createMailBudgetsInMemory(), clock: { now: () => 0, sync: async () => {} } }
    const deps = { deletions, profiles, mailer, logger, branding: plainBranding, ...noBudgets }
    await notifyOwners(deps, organizationDeleted, { by: 'system', mailOf: organizationErased })
    expect(logged).toEqual(['Mail not sent'])
  })
})

describe('The erasure of a user of more organizations than a transaction holds', () => {
  it('is announced to each once, also if it is repeated', async () => {
    const { setMember } = await organization()
    const member = await setMember()
    const accounts = createAccountDeletions(client, names)
    const { account } = await accounts.read(member)
    const own = { ...deletion, organizations: [] }
    expect(await accounts.schedule(account, own, { erased: [], handedOver: [] })).toBe('written')
    expect(await accounts.begin(member.userId, own, own.eraseAfter)).toBe('begun')
    const organizations = Array.from({ length: 97 }, () => organizationIdSchema.parse(randomUUID()))
    const outbox = createOutbox(client, names.events)
    const waiting = async () =>
      (await Promise.all(organizations.map((id) => outbox.read(id)))).map((one) => one.waiting)
    await accounts.eraseUser(account, { ...own, eraseAfter: 1 }, { organizations, at: NOW })
    expect((await waiting()).flat()).toHaveLength(2)
    for (const at of [NOW + 1, NOW + 2]) await accounts.eraseUser(account, own, { organizations, at })
    const events = await waiting()
    expect(events.map(({ length }) => length)).toEqual(organizations.map(() => 1))
    expect(events[0]).toMatchObject([{ type: 'user.deleted', data: { id: member.userId } }])
    await expect(accounts.read(member)).rejects.toMatchObject({ code: 'invalid_token' })
  })
})
