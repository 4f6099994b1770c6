import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import type { ProviderSignIns } from '../../signIn/provider/ports.ts'
import { identitySchema } from './identityStore.ts'
import { readParsed } from './kit/readItems.ts'
import { putItem, takeItem } from './kit/writeItem.ts'

function signInKey(digest: SecretDigest) {
  return { pk: `PROVIDER_SIGN_IN#${digest}`, sk: 'PROVIDER_SIGN_IN' }
}

const signInItem = z.object({
  providerId: z.string(),
  returnTo: z.object({ page: z.enum(['authorize', 'device', 'security']), query: z.string() }),
  isFresh: z.boolean(),
  validUntil: z.int(),
  proven: z.optional(z.extend(identitySchema, { ssoSession: z.optional(z.string()) })),
})

/** Sign-ins at providers under way in the table `accounts`, by the digest of their browser's secret. */
export function createProviderSignIns(client: DynamoDBDocumentClient, TableName: string): ProviderSignIns {
  return {
    find: (digest) => readParsed(client, TableName, signInKey(digest), signInItem),

    async begin(digest, signIn) {
      const expiresAt = Math.ceil(signIn.validUntil / 1000)
      await putItem(client, TableName, { ...signInKey(digest), ...signInItem.parse(signIn), expiresAt })
    },

    async end(digest) {
      const taken = await takeItem(client, TableName, signInKey(digest))
      return taken && signInItem.parse(taken)
    },
  }
}
