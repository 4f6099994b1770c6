import { afterAll, beforeAll, describe } from '@jest/globals'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createAuthorizationCodes } from '../../../lib/adapters/dynamodb/authorizationCodeStore.ts'
import { createDeviceAuthorizations } from '../../../lib/adapters/dynamodb/deviceAuthorizationStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../../lib/adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../../../lib/adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../../../lib/adapters/dynamodb/sessionStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createUserSessions } from '../../../lib/adapters/dynamodb/userSessionStore.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { useDynamoDb } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { createInMemoryOauthStores } from './inMemoryOauthStores.ts'
import { describeOauthStores, type OauthStoresUnderTest } from './oauthStoresContract.ts'
import { describeUserSessions, type UserSessionsUnderTest } from './userSessionsContract.ts'

describe('The stores of the token endpoint on DynamoDB', () => {
  const server = useDynamoDb()
  let client: ReturnType<typeof createDocumentClient> | undefined
  let subject: (OauthStoresUnderTest & UserSessionsUnderTest) | undefined
  beforeAll(() => {
    client = createDocumentClient({ endpoint: server().endpoint, region: 'us-east-1' })
    const table = tables.accounts.localName
    const [clients, users] = [createOAuthClients(client, table), createUsers(client, table)]
    const accounts = createAccounts(client, table)
    subject = {
      sessions: createSessions(client, table),
      userSessions: createUserSessions(client, table),
      async endGrants(userId) {
        const account = await accounts.find(userId)
        if (account) await accounts.endGrants(account)
      },
      clients,
      users,
      codes: createAuthorizationCodes(client, table),
      devices: createDeviceAuthorizations(client, table),
      refreshTokens: createRefreshTokens(client, table),
      putClient: clients.put,
      putUser: async (user) => {
        await users.create(user)
      },
    }
  })
  afterAll(() => client?.destroy())

  const open = () => {
    if (!subject) throw new Error('DynamoDB is not started yet')
    return subject
  }
  describeOauthStores(open)
  describeUserSessions(open)
})

describe('The stores of the token endpoint in memory', () => {
  describeOauthStores(createInMemoryOauthStores)
  describeUserSessions(createInMemoryOauthStores)
})
