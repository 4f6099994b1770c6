import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { UsedLogoutTokens } from '../../signIn/provider/ports.ts'
import { type Key, readItem } from './kit/readItems.ts'
import { putItem } from './kit/writeItem.ts'

function tokenKey({ organizationId, tokenId }: Parameters<UsedLogoutTokens['isUsed']>[0]): Key {
  const digest = createHash('sha256').update(`${organizationId}\n${tokenId}`).digest('base64url')
  return { pk: `LOGOUT_TOKEN#${digest}`, sk: 'LOGOUT_TOKEN' }
}

/** The logout tokens that companies' providers have sent, in the table `accounts`. */
export function createUsedLogoutTokens(client: DynamoDBDocumentClient, TableName: string): UsedLogoutTokens {
  return {
    isUsed: async (token) => (await readItem(client, TableName, tokenKey(token))) !== undefined,

    async use(token, until) {
      await putItem(client, TableName, { ...tokenKey(token), expiresAt: Math.ceil(until / 1000) })
    },
  }
}
