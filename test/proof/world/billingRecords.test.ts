import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe } from '@jest/globals'
import { createAuditLog } from '../../../lib/adapters/dynamodb/auditLogStore.ts'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { userKey } from '../../../lib/adapters/dynamodb/keys.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createMoneyMails } from '../../../lib/adapters/dynamodb/moneyMailStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOutbox } from '../../../lib/adapters/dynamodb/outboxStore.ts'
import { createPassRecords } from '../../../lib/adapters/dynamodb/passStore.ts'
import { createSlotListing } from '../../../lib/adapters/dynamodb/slotStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { useDynamoDb } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { noon } from '../../billing/fixtures.ts'
import { describeBillingRecords, type RecordsUnderTest } from './billingRecordsContract.ts'
import { createInMemoryBillingRecords } from './inMemoryBillingRecords.ts'

describe('BillingRecords on DynamoDB', () => {
  const server = useDynamoDb()
  let client: ReturnType<typeof createDocumentClient> | undefined
  let subject: RecordsUnderTest | undefined
  beforeAll(() => {
    client = createDocumentClient({ endpoint: server().endpoint, region: 'us-east-1' })
    const [accounts, table] = [tables.accounts.localName, tables.billing.localName]
    const users = createUsers(client, accounts)
    const put = (Item: Record<string, unknown>) => client?.send(new PutCommand({ TableName: accounts, Item }))
    const organizations = createOrganizationSeed(client, table)
    const auditLog = createAuditLog(client, tables.auditLog.localName)
    const events = tables.events.localName
    const outbox = createOutbox(client, events)
    subject = {
      records: createBillingRecords(client, { accounts, billing: table, auditLog: tables.auditLog.localName, events }),
      slots: createSlotListing(client, table),
      passes: createPassRecords(client, table),
      mails: createMoneyMails(client, table),
      events: async (id) => (await outbox.read(id)).waiting,
      entries: async (id) => (await auditLog.list(id, { limit: 100, now: noon * 1000 })).entries,
      createOrganization: (id, createdAt) => organizations.create({ id, name: 'Acme', createdAt }),
      setMembership: organizations.setMembership,
      async createUser(id) {
        const flags = { isActive: true, isVerified: true, isSuperuser: false }
        await users.create({ id, email: `${id}@example.com`, username: id, createdAt: 0, ...flags })
      },
      endGrants: async (userId) => void (await put({ ...userKey(userId), isActive: false })),
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
    const events = async (id: string) => records.save().events.filter(({ organizationId }) => organizationId === id)
    return { ...records, records, slots: records, entries, events, createUser: async () => {} }
  })
})
