import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { organizationIdSchema, userIdSchema } from '../../core/ids.ts'
import type { ExternalIdentity, Identities, IdentityKey, Linked } from '../../signIn/provider/ports.ts'
import { whileLive } from './callerStore.ts'
import { userKey } from './keys.ts'
import { type Item, type Key, readParsed } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { newUserItems } from './userStore.ts'

/** The sort key of an identity in its user's partition begins so; its digest follows. */
export const IDENTITY_PREFIX = 'IDENTITY#'

/** The issuer has no line break and is no id, so no other identity has the same digest. */
function digestOf({ issuer, subject, organizationId }: IdentityKey): string {
  const own = organizationId === undefined ? '' : `${organizationId}\n`
  return createHash('sha256').update(`${own}${issuer}\n${subject}`).digest('base64url')
}

/** The key of the item that leads from an identity to its user. */
export function identityKey(digest: string): Key {
  return { pk: IDENTITY_PREFIX + digest, sk: 'IDENTITY' }
}

/** The key under which an identity in a user's partition leads to the user; none if the item is of another kind. */
export function identityKeysIn({ sk }: Item): Key[] {
  return typeof sk === 'string' && sk.startsWith(IDENTITY_PREFIX) ? [identityKey(sk.slice(IDENTITY_PREFIX.length))] : []
}

export const identitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  providerId: z.string(),
  organizationId: z.optional(organizationIdSchema),
  email: z.optional(z.string()),
})

/** An identity in its user's partition. */
export const listedIdentity = z.extend(identitySchema, { linkedAt: z.int(), credentialsRev: z.int() })

const leadingItem = z.object({ userId: userIdSchema, credentialsRev: z.int() })

/** Identities at OpenID providers in the table `accounts`: beside their user, and by the digest of issuer and subject. */
export function createIdentities(client: DynamoDBDocumentClient, TableName: string): Identities {
  /** The two items of an identity. The first fails if the identity leads to another account. */
  function linkItems({ userId, credentialsRev }: Linked, identity: ExternalIdentity, linkedAt: number) {
    const digest = digestOf(identity)
    return {
      identity: {
        Put: {
          TableName,
          Item: { ...identityKey(digest), userId, credentialsRev },
          ConditionExpression: 'attribute_not_exists(pk) OR userId = :userId',
          ExpressionAttributeValues: { ':userId': userId },
        },
      },
      listed: {
        Put: {
          TableName,
          Item: {
            ...{ ...userKey(userId), sk: IDENTITY_PREFIX + digest },
            ...{ ...identitySchema.parse(identity), linkedAt, credentialsRev },
          },
        },
      },
    }
  }

  return {
    find: (identity) => readParsed(client, TableName, identityKey(digestOf(identity)), leadingItem),

    async link({ user, securityRev, credentialsRev = 0 }, identity, now) {
      const result = await transactWrite(client, {
        account: {
          ConditionCheck: { TableName, Key: userKey(user.id), ...whileLive({ securityRev }) },
        },
        ...linkItems({ userId: user.id, credentialsRev }, identity, now),
      })
      if (result.kind === 'written') return 'linked'
      return result.failed.has('account') ? 'conflict' : 'taken'
    },

    async create(user, identity) {
      const result = await transactWrite(client, {
        ...newUserItems(TableName, user, undefined),
        ...linkItems({ userId: user.id, credentialsRev: 0 }, identity, user.createdAt),
      })
      if (result.kind === 'written') return 'created'
      if (result.failed.has('identity')) return 'taken'
      return result.failed.has('username') ? 'username_taken' : 'email_taken'
    },
  }
}
