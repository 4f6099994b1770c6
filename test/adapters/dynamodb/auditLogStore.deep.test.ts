import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { createAuditLog, putAuditEntry } from '../../../lib/adapters/dynamodb/auditLogStore.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import { organizationId } from '../../billing/fixtures.ts'
import { openDocuments } from './dynamoDbTestBed.ts'

const { client, calls, names } = await openDocuments()
const auditLog = createAuditLog(client, names.auditLog)
const now = Date.parse('2026-11-28T12:00:00Z')

/** An entry; each higher number is a millisecond older. Every thousandth is a rename by Ada, all others are changes of details by Bob. */
function entry(n: number): AuditEntry {
  const isRename = n % 1000 === 999
  return {
    ...{ organizationId, id: `entry-${String(n).padStart(4, '0')}`, at: now - n, target: organizationId },
    actor: { type: 'user', id: isRename ? 'ada' : 'bob' },
    ...(isRename
      ? { action: 'organization.renamed', detail: { from: 'Acme', to: 'Beta' } }
      : { action: 'details.changed', detail: { changed: ['name'] } }),
  }
}

const ENTRIES = 3001

beforeAll(async () => {
  const all = Array.from({ length: ENTRIES }, (_, n) => entry(n))
  for (let begin = 0; begin < ENTRIES; begin += 25) {
    const items = all.slice(begin, begin + 25).flatMap((each) => putAuditEntry(names.auditLog, each).Put?.Item ?? [])
    const requests = items.map((Item) => ({ PutRequest: { Item } }))
    await client.send(new BatchWriteCommand({ RequestItems: { [names.auditLog]: requests } }))
  }
})

const numbersOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => Number(id.slice('entry-'.length)))

describe('The entries of an action or an actor', () => {
  it.each([{ action: 'organization.renamed' }, { actorId: 'ada' }])(
    'are found behind short pages, 2,000 entries for each: %j',
    async (filter) => {
      const first = await auditLog.list(organizationId, { limit: 10, now, ...filter })
      expect([numbersOf(first.entries), first.next]).toEqual([[999, 1999], expect.stringMatching(/entry-1999$/)])
      const rest = await auditLog.list(organizationId, { limit: 10, now, ...filter, after: first.next })
      expect([numbersOf(rest.entries), rest.next]).toEqual([[2999], undefined])
    },
  )

  it('fill a page, and the next begins after its last', async () => {
    const wanted = { limit: 1, now, action: 'organization.renamed' }
    const found: number[] = []
    for (let after: string | undefined; found.length < 4; ) {
      const page = await auditLog.list(organizationId, { ...wanted, after })
      found.push(...numbersOf(page.entries))
      if (page.next === undefined) break
      after = page.next
    }
    expect(found).toEqual([999, 1999, 2999])
  })
})

describe('The entries of a time', () => {
  it('begin with the first moment and end before the last, in one query', async () => {
    calls.reset()
    const page = await auditLog.list(organizationId, { limit: 100, now, from: now - 40, to: now - 30 })
    expect(numbersOf(page.entries)).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
    expect(page.next).toBeUndefined()
    expect(calls.calls()).toHaveLength(1)
  })
})
