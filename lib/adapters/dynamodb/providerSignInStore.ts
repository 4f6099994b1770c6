import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { arrivalSchema } from '../../core/authentication.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import type { ProviderSignIns } from '../../signIn/provider/ports.ts'
import { identitySchema } from './identityStore.ts'
import { createEndingItems } from './kit/endingItems.ts'

function signInKey(digest: SecretDigest) {
  return { pk: `PROVIDER_SIGN_IN#${digest}`, sk: 'PROVIDER_SIGN_IN' }
}

const signInItem = z.object({
  providerId: z.string(),
  returnTo: z.object({ page: z.enum(['authorize', 'device', 'security']), query: z.string() }),
  isFresh: z.boolean(),
  validUntil: z.int(),
  proven: z.optional(
    z.extend(identitySchema, { ssoSession: z.optional(z.string()), arrival: z.optional(arrivalSchema) }),
  ),
})

/** Sign-ins at providers under way in the table `accounts`, by the digest of their browser's secret. */
export function createProviderSignIns(client: DynamoDBDocumentClient, TableName: string): ProviderSignIns {
  const { find, put, take } = createEndingItems(client, TableName, { keyOf: signInKey, schema: signInItem })
  return { find, begin: put, end: take }
}
