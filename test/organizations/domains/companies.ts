import { randomUUID } from 'node:crypto'
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from '@jest/globals'
import { createDomains } from '../../../lib/adapters/dynamodb/domainStore.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import type { TableNames } from '../../../lib/adapters/dynamodb/tables.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { Domain } from '../../../lib/organizations/domains/ports.ts'
import { entryBy } from '../members/entryBy.ts'

const createdAt = Date.UTC(2026, 10, 28)

/** Stores a verified user. */
export async function storeUser(client: DynamoDBDocumentClient, email?: string): Promise<UserId> {
  const userId = userIdSchema.parse(randomUUID())
  const user = { email: email ?? `${userId}@example.com`, username: `u-${userId}`, isVerified: true, isActive: true }
  const Item = { pk: `USER#${userId}`, sk: 'USER', id: userId, ...user, isSuperuser: false, createdAt }
  await client.send(new PutCommand({ TableName: 'accounts', Item }))
  return userId
}

/** Stores organizations, each with its owner, and a domain that it has added. */
export function companiesIn(client: DynamoDBDocumentClient, names: TableNames) {
  return async (name: string) => {
    const organizationId = organizationIdSchema.parse(randomUUID())
    const owner = await storeUser(client)
    const done = { action: 'domain.added', detail: { domain: 'example.com' } } as const
    const entry = () => entryBy(owner, organizationId, createdAt, done)
    const as = (userId: UserId) => ({ userId, securityRev: 0 })
    const write = (by = owner) => ({ by: as(by), entry: entry() })
    const organization = { id: organizationId, name: 'Acme', createdAt: '2026-11-28T00:00:00Z' }
    await createOrganizationRecords(client, names).create(organization, as(owner), entry())
    const added = { organizationId, id: randomUUID(), name, status: 'pending', membership: 'none' } as const
    const domain: Domain = { ...added, proof: `domain-proof=${randomUUID()}`, createdAt }
    expect(await createDomains(client, names).add(domain, write())).toBe('written')
    return { organizationId, domain, write, verified: { ...domain, status: 'verified' as const } }
  }
}
