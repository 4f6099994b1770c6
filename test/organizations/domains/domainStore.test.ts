import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createDomains, ownDomainKey } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { readItem } from '../../../lib/adapters/dynamodb/kit/readItems.ts'
import { createOrganizationDeletions } from '../../../lib/adapters/dynamodb/organizationDeletionStore.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { companiesIn, storeUser } from './companies.ts'

const now = Date.UTC(2026, 10, 28)
const { client, names } = await openDocuments()
const domains = createDomains(client, names)
const company = companiesIn(client, names)

type Company = Awaited<ReturnType<typeof company>>
let name: string
let one: Company
let other: Company

const ownerOf = async () => (await readItem(client, names.billing, ownDomainKey(name)))?.organizationId

beforeEach(async () => {
  name = `${randomUUID()}.example`
  one = await company(name)
  other = await company(name)
})

describe('A domain in the store', () => {
  // [threat 93.8]
  it('is verified for one organization, whichever order the writes take', async () => {
    const outcomes = await Promise.all([one, other].map(({ domain, write }) => domains.verify(domain, now, write())))
    expect(outcomes.toSorted()).toEqual(['taken', 'written'])
    const [first, second] = outcomes[0] === 'written' ? [one, other] : [other, one]
    expect(await ownerOf()).toBe(first.organizationId)
    expect(await domains.list(second.organizationId)).toEqual([second.domain])
    expect(await domains.delete(first.verified, first.write())).toBe('written')
    expect(await domains.verify(second.domain, now, second.write())).toBe('written')
    expect(await ownerOf()).toBe(second.organizationId)
  })

  it('is changed only as it was read', async () => {
    const { domain, verified, write } = one
    expect(await domains.setMembership(verified, 'join', write())).toBe('conflict')
    expect(await domains.verify(domain, now, write())).toBe('written')
    expect(await domains.setMembership(domain, 'join', write())).toBe('conflict')
    expect(await domains.delete(domain, write())).toBe('conflict')
    expect(await domains.setMembership(verified, 'join', write())).toBe('written')
    expect(await domains.setMembership(verified, 'offer', write())).toBe('conflict')
    expect(await readItem(client, names.billing, ownDomainKey(name))).toMatchObject({ membership: 'join' })
    expect(await domains.delete({ ...verified, membership: 'join' }, write())).toBe('written')
    expect(await ownerOf()).toBeUndefined()
  })

  it('is changed by nobody but an owner', async () => {
    const { domain, write } = one
    const stranger = await storeUser(client)
    expect(await domains.verify(domain, now, write(stranger))).toBe('conflict')
    expect(await domains.setMembership(domain, 'join', write(stranger))).toBe('conflict')
    expect(await domains.delete(domain, write(stranger))).toBe('conflict')
    const more = { ...domain, id: randomUUID(), name: `more.${name}` }
    expect(await domains.add(more, write(stranger))).toBe('conflict')
    expect(await domains.list(one.organizationId)).toEqual([domain])
  })

  it('is free again when its organization is erased, and not if it is another organization’s', async () => {
    const { organizationId, domain, write } = one
    await domains.verify(domain, now, write())
    const { eraseBelongings } = createOrganizationDeletions(client, names)
    await eraseBelongings(other.organizationId)
    expect(await domains.list(other.organizationId)).toEqual([])
    expect(await ownerOf()).toBe(organizationId)
    await eraseBelongings(organizationId)
    expect(await ownerOf()).toBeUndefined()
  })
})
