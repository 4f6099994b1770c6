import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createDomains, ownDomainKey } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { readItem } from '../../../lib/adapters/dynamodb/kit/readItems.ts'
import { createOrganizationDeletions } from '../../../lib/adapters/dynamodb/organizationDeletionStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Domain } from '../../../lib/organizations/domains/ports.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'

const now = Date.UTC(2026, 10, 28)
const { client, names } = await openDocuments()
const organizations = createOrganizationRecords(client, names)
const domains = createDomains(client, names)

const as = (userId: UserId) => ({ userId, securityRev: 0 })

async function newUser(): Promise<UserId> {
  const userId = userIdSchema.parse(randomUUID())
  const user = { email: `${userId}@example.com`, username: `u-${userId}`, isVerified: true, isActive: true }
  const Item = { pk: `USER#${userId}`, sk: 'USER', id: userId, ...user, isSuperuser: false, createdAt: now }
  await client.send(new PutCommand({ TableName: 'accounts', Item }))
  return userId
}

/** An organization with its owner, and a domain that it has added. */
async function company(name: string) {
  const organizationId = organizationIdSchema.parse(randomUUID())
  const owner = await newUser()
  const entry = (): AuditEntry => ({
    organizationId,
    id: randomUUID(),
    at: now,
    actor: { type: 'user', id: owner },
    action: 'domain.added',
    target: organizationId,
    detail: {},
  })
  const write = (by = owner) => ({ by: as(by), entry: entry() })
  await organizations.create(
    { id: organizationId, name: 'Acme', createdAt: '2026-11-28T00:00:00Z' },
    as(owner),
    entry(),
  )
  const added = {
    organizationId,
    id: randomUUID(),
    name,
    status: 'pending',
    proof: 'proof',
    membership: 'none',
  } as const
  const domain: Domain = { ...added, createdAt: now }
  expect(await domains.add(domain, write())).toBe('written')
  return { organizationId, domain, write, verified: { ...domain, status: 'verified' as const } }
}

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
    const stranger = await newUser()
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
