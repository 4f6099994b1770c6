import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SignInProviders } from '../../signIn/provider/ports.ts'
import { queryPartition, readParsed } from './kit/readItems.ts'
import { putItem, takeItem } from './kit/writeItem.ts'

const PARTITION = 'SIGN_IN_PROVIDERS'
const PREFIX = 'PROVIDER#'

function providerKey(id: string) {
  return { pk: PARTITION, sk: PREFIX + id }
}

const providerItem = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  cipher: z.string(),
  trustAcr: z.boolean(),
  createdAt: z.int(),
})

/** The operator's OpenID providers in the table `accounts`, all in a partition. */
export function createSignInProviders(client: DynamoDBDocumentClient, TableName: string): SignInProviders {
  return {
    async list() {
      const items = await queryPartition(client, TableName, { pk: PARTITION, prefix: PREFIX })
      return items.map((item) => providerItem.parse(item))
    },

    find: (id) => readParsed(client, TableName, providerKey(id), providerItem),

    put: (provider) => putItem(client, TableName, { ...providerKey(provider.id), ...providerItem.parse(provider) }),

    async remove(id) {
      return (await takeItem(client, TableName, providerKey(id))) !== undefined
    },
  }
}
