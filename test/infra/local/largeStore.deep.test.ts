import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import type { DynamoDbServer } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { organizationItems, startLargeStore } from '../../../infra/local/dynamodb/startLargeStore.ts'
import { createBillingRecords } from '../../../lib/adapters/dynamodb/billingStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'

/** More than are written at once, and not a multiple of it. */
const ORGANIZATIONS = 1003

let store: DynamoDbServer
beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'local'
  process.env.AWS_SECRET_ACCESS_KEY = 'local'
  store = await startLargeStore(ORGANIZATIONS)
})
afterAll(() => store.close())

describe('A store that is started large', () => {
  it('has every organization as the service reads it, beside tables made later', async () => {
    const where = { endpoint: store.endpoint, region: 'us-east-1' }
    const tableClient = new DynamoDBClient(where)
    await createTables(tableClient, tables)
    tableClient.destroy()
    const client = createDocumentClient(where)
    const records = createBillingRecords(client, { accounts: undefined, billing: 'billing', auditLog: undefined })
    try {
      for (const number of [0, 999, 1000, ORGANIZATIONS - 1]) {
        const id = organizationIdSchema.parse(organizationItems(number)[0]?.organizationId)
        const { account, slot } = await records.readSlot(id, 'ota')
        expect(account).toMatchObject({ organizationId: id, name: `Organization ${number}` })
        expect(slot).toMatchObject({ state: 'active', subscription: { id: `sub_${number}` } })
        expect(await records.findOrganizations(customerDigest(`cus_${number}`))).toEqual([id])
      }
      expect(await records.findOrganizations(customerDigest(`cus_${ORGANIZATIONS}`))).toEqual([])
    } finally {
      client.destroy()
    }
  })
})
