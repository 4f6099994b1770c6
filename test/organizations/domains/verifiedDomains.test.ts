import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { createDomainChecks, createDomains } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { companiesIn, storeUser } from './companies.ts'

const now = Date.UTC(2026, 10, 28)
const { client, names } = await openDocuments()
const domains = createDomains(client, names)
const organizations = createOrganizationRecords(client, names)

describe('The verified domains of an organization', () => {
  let stored: Awaited<ReturnType<ReturnType<typeof companiesIn>>>
  let name: string
  const by = () => stored.write().by
  const read = async () => (await organizations.read(stored.organizationId, by())).organization?.verifiedDomains
  const readBilling = async () =>
    (await createBillingRecords(client, names).read(stored.organizationId, by())).account?.verifiedDomains

  beforeEach(async () => {
    name = `${randomUUID()}.example`
    stored = await companiesIn(client, names)(name)
  })

  it('are written by what verifies a domain, and removed by what deletes it', async () => {
    expect(await read()).toBeUndefined()
    expect(await domains.verify(stored.domain, now, stored.write())).toBe('written')
    const second = { ...stored.domain, id: randomUUID(), name: `a.${name}` }
    await domains.add(second, stored.write())
    expect(await domains.verify(second, now, stored.write())).toBe('written')
    expect(await domains.verify({ ...second, status: 'verified' }, now, stored.write())).toBe('written')
    expect([await read(), await readBilling()]).toEqual(Array(2).fill([name, `a.${name}`].toSorted()))
    expect(await domains.delete(stored.verified, stored.write())).toBe('written')
    expect([await read(), await readBilling()]).toEqual([[`a.${name}`], [`a.${name}`]])
    expect(await domains.delete({ ...second, status: 'verified' }, stored.write())).toBe('written')
    expect([await read(), await readBilling()]).toEqual([undefined, undefined])
  })

  it('lose a domain that is lost, and keep it if nothing was written', async () => {
    const checks = createDomainChecks(client, names)
    const other = await companiesIn(client, names)(name)
    await domains.verify(stored.domain, now, stored.write())
    expect(await domains.verify(other.domain, now, other.write())).toBe('taken')
    expect((await organizations.read(other.organizationId, other.write().by)).organization).not.toHaveProperty(
      'verifiedDomains',
    )
    const due = { ...stored.domain, checkAt: now, failures: 2 }
    const { entry } = stored.write()
    expect(await checks.lose({ ...due, checkAt: now + 1 }, entry)).toBe('conflict')
    expect(await read()).toEqual([name])
    expect(await checks.lose(due, entry)).toBe('written')
    expect(await read()).toBeUndefined()
    expect(await domains.delete({ ...stored.domain, status: 'lost' }, stored.write())).toBe('written')
  })
})

describe('What a read says of its caller', () => {
  it('has the domain of the user’s address, in lower case', async () => {
    const { organizationId, write } = await companiesIn(client, names)(`${randomUUID()}.example`)
    const userId = await storeUser(client, `Ann.${randomUUID()}@Example.COM`)
    const records = createBillingRecords(client, names)
    const caller = { userId, securityRev: 0 }
    expect(await organizations.read(organizationId, caller)).toMatchObject({ callerDomain: 'example.com' })
    expect(await records.read(organizationId, caller)).toMatchObject({ callerDomain: 'example.com' })
    expect(await records.read(organizationId, write().by)).toMatchObject({ callerDomain: 'example.com' })
  })
})
