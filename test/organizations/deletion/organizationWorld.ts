import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { createApiClients } from '../../../lib/adapters/dynamodb/apiClientStore.ts'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import type { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOrganizationDeletions } from '../../../lib/adapters/dynamodb/organizationDeletionStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createProfiles, createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { ids } from '../../../lib/adapters/random/ids.ts'
import { readClaims } from '../../../lib/billing/checkout/claimLines.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { eraseCustomer } from '../../../lib/billing/customer/eraseCustomer.ts'
import { listOwedInvoices } from '../../../lib/billing/customer/owedInvoices.ts'
import { GRACE } from '../../../lib/core/deletion.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { digestOf } from '../../../lib/organizations/apiClients/createApiClient.ts'
import { deleteOrganization } from '../../../lib/organizations/deletion/deleteOrganization.ts'
import { eraseOrganizations } from '../../../lib/organizations/deletion/eraseOrganizations.ts'
import { restoreOrganization } from '../../../lib/organizations/deletion/restoreOrganization.ts'
import { invitationIdOf } from '../../../lib/organizations/invitations/invitationDigests.ts'
import type { AuditDone } from '../../../lib/organizations/ports.ts'
import * as fixtures from '../../billing/fixtures.ts'
import { createFakeGateway } from '../../billing/gateway/fakeGateway.ts'
import { emptyLists } from '../../billing/reconcile/emptyLists.ts'
import { plainBranding } from '../../support/branding.ts'
import { createMailBudgetsInMemory } from '../../support/mailBudgetsInMemory.ts'
import { newUser } from '../../support/newUser.ts'
import { entryBy } from '../members/entryBy.ts'
import { type FaultAt, faultyDeps } from './faultyDeps.ts'

export const START = Date.UTC(2026, 0, 15)
const ports = ['organizations', 'deletions', 'profiles', 'mailer', 'records', 'cipher', 'customers', 'listing'] as const

/**
 * An organization with two owners, a member, an invitation, an API client, a customer at the gateway and a subscription that has ended; and
 * another one of the same owner, of which nothing may change.
 */
export async function organizationWorld(client: ReturnType<typeof createDocumentClient>) {
  // Tables of its own: what is due is only what was asked for here, and all of it is read at once.
  const world = randomUUID()
  const nameOf = (table: string) => `${table}-${world}`
  const names = {
    ...{ accounts: nameOf('accounts'), billing: nameOf('billing') },
    ...{ auditLog: nameOf('audit-log'), events: nameOf('events') },
  }
  const { accounts, billing, auditLog, events } = tables
  await createTables(client, {
    accounts: { ...accounts, localName: names.accounts },
    billing: { ...billing, localName: names.billing },
    auditLog: { ...auditLog, localName: names.auditLog },
    events: { ...events, localName: names.events },
  })
  const mails: Mail[] = []
  let now = START
  const clock = { now: () => now, sync: async () => {} }
  const records = createBillingRecords(client, names)
  const deletions = createOrganizationDeletions(client, names)
  const [id, other] = [organizationIdSchema.parse(randomUUID()), organizationIdSchema.parse(randomUUID())]
  const { books, gateway } = createFakeGateway({
    clock: { ...clock, advance: () => {} },
    takesCards: true,
    name: 'card',
  })
  const stores = {
    organizations: createOrganizationRecords(client, names),
    profiles: createProfiles(client, names.accounts),
    mailer: { send: async (mail: Mail) => void mails.push(mail), discard: async () => {} },
    cipher: { encrypt: async (_: string, text: string) => text, decrypt: async (_: string, text: string) => text },
    customers: gateway.customers,
    listing: emptyLists().listing,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    branding: plainBranding,
    ...{ deletions, records, clock, ids },
  }

  const register = async () => {
    const user = newUser(START)
    await createUsers(client, names.accounts).create(user)
    return { ...user, caller: { userId: user.id, securityRev: 0 } }
  }
  const [owner, second, member] = [await register(), await register(), await register()]
  const creation = { action: 'organization.created', detail: { name: 'Acme' } } as const
  const entry = (organizationId = id, done: AuditDone = creation) => entryBy(owner.id, organizationId, START, done)
  for (const one of [id, other]) {
    const organization = { id: one, name: 'Acme', createdAt: '2026-01-15T00:00:00Z' }
    await stores.organizations.create(organization, owner.caller, entry(one))
  }
  const seed = createOrganizationSeed(client, names.billing)
  await seed.setMembership(id, second.id, 'owner')
  await seed.setMembership(id, member.id, 'member')
  const email = `guest-${randomUUID()}@example.com`
  const invitation = {
    ...{ organizationId: id, id: invitationIdOf(email), email, role: 'member' as const },
    ...{ tokenDigest: randomUUID(), invitedBy: owner.id, validUntil: START + 2 * GRACE },
  }
  await createInvitations(client, names).put(
    invitation,
    owner.caller,
    entry(id, { action: 'member.invited', detail: { role: 'member' } }),
  )
  const apiClient = { organizationId: id, id: randomUUID(), name: 'CI', scopes: [], createdAt: START }
  await createApiClients(client, names).create(apiClient, digestOf('secret'), {
    by: owner.caller,
    entry: entry(id, { action: 'api_client.created', detail: { name: 'Robot', scopes: [] } }),
  })
  const created = await gateway.customers.createCustomer(id, { name: 'Acme' }, randomUUID())
  if (created.kind !== 'ok') throw new Error('no customer')
  const customerId = created.value
  await records.bindCustomer(
    { organizationId: id, customerRev: 0 },
    { cipher: customerId, digest: customerDigest(customerId) },
  )
  const slotOf = (change: Parameters<typeof fixtures.slot>[0]) => ({ ...fixtures.slot(change), organizationId: id })
  await records.commit({ next: slotOf({ n: 1, rev: 1 }) })

  /** What a purchase writes first, and gives back where it may not be sent: null where it may. */
  async function claim() {
    const { account, slots } = await records.readSlots(id)
    const slot = slots.find(({ product }) => product === 'ota')
    if (!account || !slot) throw new Error('no account')
    const pending = { ...fixtures.pendingSlot(), organizationId: id, n: slot.n + 1, rev: slot.rev + 1 }
    const conflict = await records.commit({ next: pending })
    if (conflict) return conflict
    const [lost = null] = await readClaims({ deps: { records }, account }, [pending])
    if (lost) await records.commit({ next: { ...slot, rev: pending.rev + 1 } })
    return lost
  }

  const faulty = (fault?: FaultAt) => {
    const { deps: all, calls } = faultyDeps(stores, fault, ports)
    const faultyGateway = { ...gateway, customers: all.customers }
    const gateways = { card: faultyGateway, invoice: faultyGateway }
    const billing = { records: all.records, cipher: all.cipher, listing: all.listing, gateways }
    const deps = {
      ...{ organizations: all.organizations, deletions: all.deletions, profiles: all.profiles, mailer: all.mailer },
      ...{ logger: stores.logger, branding: plainBranding, clock, ids, mailBudgets: createMailBudgetsInMemory() },
      debts: {
        listOwed: async (organizationId: typeof id) =>
          (await listOwedInvoices({ ...billing, clock, logger: stores.logger }, organizationId)).map(
            (invoice) => invoice.id,
          ),
      },
      customers: { eraseCustomer: (organizationId: typeof id) => eraseCustomer(billing, organizationId) },
    }
    const request = { organizationId: id, caller: owner.caller }
    return {
      calls,
      request: () => deleteOrganization(deps, { ...request, language: 'en' }),
      restore: () => restoreOrganization(deps, request),
      /** A run for which the store says this of the beginning. */
      runBegun: (begun: 'not_due' | 'held') =>
        eraseOrganizations(
          { ...deps, deletions: { ...deletions, begin: async () => begun } },
          Number.POSITIVE_INFINITY,
        ),
      /** The run of a day. */
      run: () => eraseOrganizations(deps, Number.POSITIVE_INFINITY),
    }
  }

  const masked = [id, other, owner.id, second.id, member.id, apiClient.id, invitation.id, invitation.tokenDigest]
  return {
    ...{ id, mails, claim, faulty },
    ...faulty(),
    advance(to: number) {
      now = to
    },
    deletion: async () => (await deletions.find(id))?.deletion,
    isCustomerDeleted: () => books.customers.get(customerId)?.deleted,
    /** Everything that is at rest of this organization and of the other one, in short. */
    async traces(): Promise<string[]> {
      const scans = Object.values(names).map((TableName) => client.send(new ScanCommand({ TableName })))
      const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items)
      return items
        .filter((item) => [id, other, invitation.tokenDigest].some((trace) => JSON.stringify(item).includes(trace)))
        .filter(({ expiresAt }) => typeof expiresAt !== 'number' || expiresAt * 1000 > now)
        .map(({ pk, sk, action, type, organizationId, owners, role, n, deletion }) =>
          JSON.stringify(
            type
              ? { type, organizationId }
              : action
                ? { action, organizationId }
                : { pk, sk, owners, role, n, deleting: deletion !== undefined },
          ),
        )
        .map((text) => masked.reduce((short, one, at) => short.replaceAll(one, `<${at}>`), text))
        .map((text) => text.replaceAll(email, '<guest>'))
        .sort()
    },
  }
}

export type OrganizationWorld = Awaited<ReturnType<typeof organizationWorld>>
