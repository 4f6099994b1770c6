import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createAuditLog } from '../../../lib/adapters/dynamodb/auditLogStore.ts'
import { createCompanyProviders } from '../../../lib/adapters/dynamodb/companyProviderStore.ts'
import { createDomains } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { createOrganizationDeletions } from '../../../lib/adapters/dynamodb/organizationDeletionStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createCompanySignOns } from '../../../lib/adapters/dynamodb/signOnStore.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { SignOnRule } from '../../../lib/organizations/ports.ts'
import type { CompanySignOn, CompanySignOns } from '../../../lib/organizations/signOn/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { companiesIn, storeUser } from '../domains/companies.ts'
import { entryBy } from '../members/entryBy.ts'
import { createSignOnsInMemory } from './inMemorySignOns.ts'

const now = Date.UTC(2026, 10, 28)
const { client, names } = await openDocuments()
const domains = createDomains(client, names)
const organizations = createOrganizationRecords(client, names)

/** An organization with a domain, in one of the stores. */
interface Company {
  readonly store: CompanySignOns
  readonly organizationId: OrganizationId
  readonly owner: UserId
  readonly domain: string
  readonly stranger: UserId
  verify(): Promise<unknown>
  deleteDomain(): Promise<unknown>
  /** The rule that the organization has. */
  rule(): Promise<SignOnRule | undefined>
  /** The actions of its sign-on in the audit log, sorted: all entries have the same time. */
  listActions(): Promise<string[]>
}

async function openStored(): Promise<Company> {
  const domain = `${randomUUID()}.example`
  const company = await companiesIn(client, names)(domain)
  const { organizationId, write, verified } = company
  const { by } = write()
  return {
    ...{ store: createCompanySignOns(client, names), organizationId, owner: by.userId, domain },
    stranger: await storeUser(client),
    verify: () => domains.verify(company.domain, now, write()),
    deleteDomain: () => domains.delete(verified, write()),
    rule: async () => (await organizations.read(organizationId, by)).organization?.signOn,
    async listActions() {
      const page = await createAuditLog(client, names.auditLog).list(organizationId, { limit: 20, now })
      return page.entries
        .map(({ action }) => action)
        .filter((action) => action.startsWith('sso.'))
        .toSorted()
    },
  }
}

async function openInMemory(): Promise<Company> {
  const { store, organizations: inMemory, entries } = createSignOnsInMemory()
  const [owner, stranger] = [userIdSchema.parse(randomUUID()), userIdSchema.parse(randomUUID())]
  const organizationId = organizationIdSchema.parse(randomUUID())
  const domain = `${randomUUID()}.example`
  const verifiedDomains = new Set<string>()
  inMemory.set(organizationId, { owners: new Set([owner]), verifiedDomains })
  return {
    ...{ store, organizationId, owner, domain, stranger },
    verify: async () => verifiedDomains.add(domain),
    deleteDomain: async () => verifiedDomains.delete(domain),
    rule: async () => inMemory.get(organizationId)?.signOn,
    listActions: async () => entries.map(({ action }) => action).toSorted(),
  }
}

const signOnOf = ({ organizationId }: Company, more: Partial<CompanySignOn> = {}): CompanySignOn => ({
  ...{ organizationId, issuer: 'https://login.example.com', clientId: 'us', cipher: 'c2VjcmV0' },
  ...{ isEnforced: false, trustAcr: false, updatedAt: now, ...more },
})

function writeOf({ organizationId, owner }: Company, action: 'sso.updated' | 'sso.deleted', by = owner) {
  const issuer = 'https://login.example.com'
  const done =
    action === 'sso.deleted'
      ? { action, detail: { issuer } }
      : { action, detail: { issuer, requirement: 'optional', changed: [] } }
  return { by: { userId: by, securityRev: 0 }, entry: entryBy(by, organizationId, now, done) }
}

let company: Company
const put = (more: Partial<CompanySignOn> = {}, by = company.owner) =>
  company.store.put(signOnOf(company, more), writeOf(company, 'sso.updated', by))
const remove = (by = company.owner) => company.store.remove(company.organizationId, writeOf(company, 'sso.deleted', by))
const find = () => company.store.find(company.organizationId)

describe.each([
  ['in DynamoDB', openStored],
  ['in memory', openInMemory],
])('A single sign-on %s', (_, open) => {
  beforeEach(async () => {
    company = await open()
  })

  // [threat 93.17]
  it('needs a verified domain', async () => {
    expect(await put()).toBe('domain_required')
    expect([await find(), await company.rule(), await company.listActions()]).toEqual([undefined, undefined, []])
    await company.verify()
    expect(await put()).toBe('written')
    expect(await find()).toEqual(signOnOf(company))
    await company.deleteDomain()
    expect(await put()).toBe('domain_required')
  })

  it('is replaced together with the rule of the organization', async () => {
    await company.verify()
    const enforced = { isEnforced: true, breakGlassUserId: company.owner }
    expect(await put(enforced)).toBe('written')
    expect(await company.rule()).toEqual(enforced)
    expect(await find()).toEqual(signOnOf(company, enforced))
    expect(await put({ issuer: 'https://other.example', breakGlassUserId: undefined })).toBe('written')
    expect(await company.rule()).toEqual({ isEnforced: false })
    expect(await find()).toEqual(signOnOf(company, { issuer: 'https://other.example' }))
    expect(await company.listActions()).toEqual(['sso.updated', 'sso.updated'])
  })

  it('is removed once, and its rule with it', async () => {
    await company.verify()
    expect(await remove()).toBe('none')
    await put({ isEnforced: true, breakGlassUserId: company.owner })
    expect(await remove()).toBe('written')
    expect([await find(), await company.rule()]).toEqual([undefined, undefined])
    expect(await remove()).toBe('none')
    expect(await company.listActions()).toEqual(['sso.deleted', 'sso.updated'])
  })

  it('is changed by owners alone, who alone learn what is missing', async () => {
    expect(await put({}, company.stranger)).toBe('conflict')
    await company.verify()
    expect(await put({}, company.stranger)).toBe('conflict')
    expect(await remove(company.stranger)).toBe('conflict')
    await put()
    expect(await put({ clientId: 'mine' }, company.stranger)).toBe('conflict')
    expect(await remove(company.stranger)).toBe('conflict')
    expect(await find()).toEqual(signOnOf(company))
  })
})

describe('The provider of a company', () => {
  const providers = createCompanyProviders(client, names.billing)
  const findByDomain = (domain = company.domain) => providers.findByAddress(`somebody@${domain}`)

  beforeEach(async () => {
    company = await openStored()
    await company.verify()
  })

  // [threat 93.17]
  it('is found by an address of its verified domain, while it has a sign-on', async () => {
    expect(await findByDomain()).toBeUndefined()
    await put()
    const { organizationId, domain } = company
    const { issuer, clientId, cipher, trustAcr } = signOnOf(company)
    expect(await findByDomain()).toEqual({
      ...{ id: organizationId, owner: organizationId, name: 'Acme', domains: [domain] },
      ...{ issuer, clientId, cipher, trustAcr },
    })
    expect(await findByDomain(`other.${domain}`)).toBeUndefined()
    await remove()
    expect(await findByDomain()).toBeUndefined()
    await put()
    await company.deleteDomain()
    expect(await findByDomain()).toBeUndefined()
  })

  it('is gone with the organization, as is the sign-on', async () => {
    await put()
    expect(await findByDomain()).toBeDefined()
    await createOrganizationDeletions(client, names).eraseBelongings(company.organizationId)
    expect([await find(), await findByDomain()]).toEqual([undefined, undefined])
  })
})
