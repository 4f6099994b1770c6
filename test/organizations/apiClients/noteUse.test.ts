import { describe, expect, it } from '@jest/globals'
import { createApiClientLogins } from '../../../lib/adapters/dynamodb/apiClientStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { apiClientIdOf, organizationIdSchema } from '../../../lib/core/ids.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'

const organizationId = organizationIdSchema.parse('9b2f6f3e-6f0b-4f0e-9d5e-0c1f4a7b8d21')
const clientId = apiClientIdOf(organizationId, '3f0f1c52-8a57-4c8e-b7de-5f5a4f9f2c10')
const { client } = await openDocuments()

describe('The note that an API client was used', () => {
  // [catch writeItem.updateItem]
  it('is not written of a client that was deleted in between, and that is no failure', async () => {
    const logins = createApiClientLogins(client, tables.accounts.localName)
    await logins.noteUse(clientId, Date.UTC(2026, 10, 22))
    expect(await logins.find(clientId)).toBeUndefined()
  })
})
