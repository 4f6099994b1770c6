import { afterAll, beforeAll, describe } from '@jest/globals'
import { createAuditLog } from '../../lib/adapters/dynamodb/auditEntry.ts'
import { createBillingRecords } from '../../lib/adapters/dynamodb/billingRecords.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { createOrganizationSeed } from '../../lib/adapters/dynamodb/organizationSeed.ts'
import { createPassRecords } from '../../lib/adapters/dynamodb/passRecords.ts'
import { createSlotListing } from '../../lib/adapters/dynamodb/slot.ts'
import { tables } from '../../lib/adapters/dynamodb/tables.ts'
import { noon } from '../billing/fixtures.ts'
import { useDynamoDb } from '../dynamodb/dynamoDbTestBed.ts'
import { describeBillingRecords, type RecordsUnderTest } from './billingRecordsContract.ts'
import { createInMemoryBillingRecords } from './inMemoryBillingRecords.ts'

describe('BillingRecords on DynamoDB', () => {
  const server = useDynamoDb()
  let client: ReturnType<typeof createDocumentClient> | undefined
  let subject: RecordsUnderTest | undefined
  beforeAll(() => {
    client = createDocumentClient({ endpoint: server().endpoint, region: 'us-east-1' })
    const table = tables.billing.localName
    const organizations = createOrganizationSeed(client, table)
    const auditLog = createAuditLog(client, tables.auditLog.localName)
    subject = {
      records: createBillingRecords(client, { billing: table, auditLog: tables.auditLog.localName }),
      slots: createSlotListing(client, table),
      passes: createPassRecords(client, table),
      entries: async (id) => (await auditLog.list(id, { limit: 100, now: noon * 1000 })).entries,
      createOrganization: (id, createdAt) => organizations.create({ id, name: 'Acme', createdAt }),
      setMembership: organizations.setMembership,
    }
  })
  afterAll(() => client?.destroy())

  describeBillingRecords(() => {
    if (!subject) throw new Error('DynamoDB is not started yet')
    return subject
  })
})

describe('BillingRecords in memory', () => {
  describeBillingRecords(() => {
    const records = createInMemoryBillingRecords()
    const entries = async (id: string) => records.save().entries.filter(({ organizationId }) => organizationId === id)
    return { ...records, records, slots: records, entries }
  })
})
