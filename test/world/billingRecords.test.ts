import { afterAll, beforeAll, describe } from '@jest/globals'
import { createBillingRecords } from '../../lib/adapters/dynamodb/billingRecords.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { createOrganizationSeed } from '../../lib/adapters/dynamodb/organizationSeed.ts'
import { createPassRecords } from '../../lib/adapters/dynamodb/passRecords.ts'
import { createSlotListing } from '../../lib/adapters/dynamodb/slot.ts'
import { tables } from '../../lib/adapters/dynamodb/tables.ts'
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
    subject = {
      records: createBillingRecords(client, table),
      slots: createSlotListing(client, table),
      passes: createPassRecords(client, table),
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
    return { ...records, records, slots: records }
  })
})
