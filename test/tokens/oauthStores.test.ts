import { afterAll, beforeAll, describe } from '@jest/globals'
import { createAuthorizationCodes } from '../../lib/adapters/dynamodb/authorizationCode.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { createOAuthClients } from '../../lib/adapters/dynamodb/oauthClient.ts'
import { createRefreshTokens } from '../../lib/adapters/dynamodb/refreshToken.ts'
import { tables } from '../../lib/adapters/dynamodb/tables.ts'
import { createUsers } from '../../lib/adapters/dynamodb/user.ts'
import { useDynamoDb } from '../dynamodb/dynamoDbTestBed.ts'
import { createInMemoryOauthStores } from './inMemoryOauthStores.ts'
import { describeOauthStores, type OauthStoresUnderTest } from './oauthStoresContract.ts'

describe('The stores of the token endpoint on DynamoDB', () => {
  const server = useDynamoDb()
  let client: ReturnType<typeof createDocumentClient> | undefined
  let subject: OauthStoresUnderTest | undefined
  beforeAll(() => {
    client = createDocumentClient({ endpoint: server().endpoint, region: 'us-east-1' })
    const table = tables.accounts.localName
    const [clients, users] = [createOAuthClients(client, table), createUsers(client, table)]
    subject = {
      clients,
      users,
      codes: createAuthorizationCodes(client, table),
      refreshTokens: createRefreshTokens(client, table),
      putClient: clients.put,
      putUser: async (user) => {
        await users.create(user)
      },
    }
  })
  afterAll(() => client?.destroy())

  describeOauthStores(() => {
    if (!subject) throw new Error('DynamoDB is not started yet')
    return subject
  })
})

describe('The stores of the token endpoint in memory', () => {
  describeOauthStores(createInMemoryOauthStores)
})
