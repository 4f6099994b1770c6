import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { arrivalSchema } from '../../core/authentication.ts'
import { organizationIdSchema, userIdSchema } from '../../core/ids.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import type { PendingSignIns } from '../../signIn/ports.ts'
import { createEndingItems } from './kit/endingItems.ts'

function pendingKey(digest: SecretDigest) {
  return { pk: `PENDING_SIGN_IN#${digest}`, sk: 'PENDING_SIGN_IN' }
}

const pendingItem = z.object({
  userId: userIdSchema,
  securityRev: z.int(),
  validUntil: z.int(),
  replaces: z.optional(secretDigestSchema),
  browser: z.optional(secretDigestSchema),
  atProvider: z.optional(z.int()),
  arrival: z.optional(arrivalSchema),
  sso: z.optional(organizationIdSchema),
  ssoSession: z.optional(z.string()),
})

/** Sign-ins between the password and the second factor in the table `accounts`, by the digest of their secret. */
export function createPendingSignIns(client: DynamoDBDocumentClient, TableName: string): PendingSignIns {
  const { find, put, take } = createEndingItems(client, TableName, { keyOf: pendingKey, schema: pendingItem })
  return { find, begin: put, end: take }
}
