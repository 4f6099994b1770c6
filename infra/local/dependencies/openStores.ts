import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createAuthorizationCodes } from '../../../lib/adapters/dynamodb/authorizationCodeStore.ts'
import { createEndpoints } from '../../../lib/adapters/dynamodb/endpointStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createRefreshTokens } from '../../../lib/adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../../../lib/adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../../../lib/adapters/dynamodb/signInProviderStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createUserSessions } from '../../../lib/adapters/dynamodb/userSessionStore.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { createTables } from '../dynamodb/createTables.ts'
import { startDynamoDb } from '../dynamodb/startDynamoDb.ts'
import type { ResourceScope } from '../resourceScope.ts'
import type { Settings } from '../settings.ts'

/** The stores that the seed and the controls write, through the same operations as the service. */
export type Stores = Awaited<ReturnType<typeof openStores>>

/** Starts a DynamoDB unless the settings name an endpoint. `died` exists only if it was started here. */
async function openDynamoDb(
  { dynamoDbEndpoint }: Settings,
  resources: ResourceScope,
  dataDir?: string,
): Promise<{ readonly endpoint: string; readonly died?: Promise<Error> }> {
  if (dynamoDbEndpoint !== undefined) return { endpoint: dynamoDbEndpoint }
  if (dataDir === undefined) return resources.add(startDynamoDb({}))
  try {
    return await resources.add(startDynamoDb({ dataDir }))
  } catch (error) {
    if (!(error instanceof Error && /SQLite|malformed/i.test(error.message))) throw error
    const file = join(dataDir, 'dynamodb.sqlite')
    throw new Error(`${file} is no database. Move its folder away to begin anew, or name another folder`)
  }
}

/** Opens the DynamoDB of the settings, or starts it with its files in `dataDir`, and creates missing tables. */
export async function openStores(settings: Settings, resources: ResourceScope, dataDir?: string) {
  const { endpoint, died } = await openDynamoDb(settings, resources, dataDir)
  const where = { endpoint, region: settings.region }
  const client = createDocumentClient(where)
  await resources.add({ close: async () => client.destroy() })

  const tableClient = new DynamoDBClient(where)
  await createTables(tableClient, tables)
  tableClient.destroy()
  return {
    endpoint,
    died,
    accounts: createAccounts(client, tables.accounts.localName),
    users: createUsers(client, tables.accounts.localName),
    clients: createOAuthClients(client, tables.accounts.localName),
    codes: createAuthorizationCodes(client, tables.accounts.localName),
    sessions: createSessions(client, tables.accounts.localName),
    userSessions: createUserSessions(client, tables.accounts.localName),
    refreshTokens: createRefreshTokens(client, tables.accounts.localName),
    providers: createSignInProviders(client, tables.accounts.localName),
    organizations: createOrganizationSeed(client, tables.billing.localName),
    endpoints: createEndpoints(client, {
      accounts: tables.accounts.localName,
      billing: tables.billing.localName,
      auditLog: tables.auditLog.localName,
      events: tables.events.localName,
    }),
  }
}
