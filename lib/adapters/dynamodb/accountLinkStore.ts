import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { userIdSchema } from '../../core/ids.ts'
import { type AccountLinks, type LinkDigest, type LinkUse, linkDigestSchema } from '../../users/ports.ts'
import { createEndingItems } from './kit/endingItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'

function linkKey(digest: LinkDigest) {
  return { pk: `LINK#${digest}`, sk: 'LINK' }
}

const linkItem = z.object({
  purpose: z.enum([
    ...(['verify_email', 'reset_password', 'change_email', 'undo_email_change'] as const),
    ...(['undo_factor', 'confirm_factor_reset', 'restore_account'] as const),
  ]),
  userId: userIdSchema,
  email: z.string(),
  securityRev: z.int(),
  familyId: z.optional(z.string()),
  change: z.optional(linkDigestSchema),
  reset: z.optional(z.string()),
  added: z.optional(
    z.object({ type: z.enum(['passkey', 'totp', 'recovery_codes']), name: z.nullable(z.string()), at: z.int() }),
  ),
  issuedAt: z.optional(z.int()),
  validUntil: z.int(),
  request: z.optional(z.string()),
  browser: z.optional(linkDigestSchema),
  usedAt: z.optional(z.int()),
})

/** Marks the link as used. Fails if it was used before or has expired. */
export function consumeLink(TableName: string, { digest, now }: LinkUse): TransactItem {
  return {
    Update: {
      TableName,
      Key: linkKey(digest),
      UpdateExpression: 'SET usedAt = :now',
      ConditionExpression: 'validUntil > :now AND attribute_not_exists(usedAt)',
      ExpressionAttributeValues: { ':now': now },
    },
  }
}

/** Links in mails, in the table `accounts`, by the digest of their token. DynamoDB deletes them some time after their end. */
export function createAccountLinks(client: DynamoDBDocumentClient, TableName: string): AccountLinks {
  const { find, put } = createEndingItems(client, TableName, { keyOf: linkKey, schema: linkItem })
  return { find, issue: put }
}
