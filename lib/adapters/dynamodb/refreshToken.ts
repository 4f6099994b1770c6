import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { userIdSchema } from '../../core/ids.ts'
import type { RefreshToken, RefreshTokens } from '../../oauth/ports.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import { callStore } from './callStore.ts'
import { readItem } from './readItems.ts'
import { transactWrite } from './transactWrite.ts'

/** Longer than the 30 days that a family lives. */
const REVOCATION_KEPT_SECONDS = 31 * 24 * 60 * 60

function tokenKey(digest: SecretDigest) {
  return { pk: `REFRESH_TOKEN#${digest}`, sk: 'REFRESH_TOKEN' }
}

/** An item exists if and only if the family is revoked, so that revoking and issuing may come in any order. */
function revocationKey(familyId: string) {
  return { pk: `TOKEN_FAMILY#${familyId}`, sk: 'REVOCATION' }
}

const tokenItem = z.object({
  clientId: z.string(),
  userId: userIdSchema,
  scope: z.string(),
  familyId: z.string(),
  familyEndsAt: z.number().int(),
  rotatedAt: z.number().int().exactOptional(),
})

function toItem(digest: SecretDigest, { clientId, userId, scope, familyId, familyEndsAt }: RefreshToken) {
  const expiresAt = Math.ceil(familyEndsAt / 1000)
  return { ...tokenKey(digest), clientId, userId, scope, familyId, familyEndsAt, expiresAt }
}

/** Refresh tokens in the table `accounts`, by their digest, and the revocations of their families. */
export function createRefreshTokens(client: DynamoDBDocumentClient, TableName: string): RefreshTokens {
  return {
    async find(digest) {
      const item = await readItem(client, TableName, tokenKey(digest))
      return item && tokenItem.parse(item)
    },

    async issue(digest, token) {
      await callStore(() => client.send(new PutCommand({ TableName, Item: toItem(digest, token) })))
    },

    async rotate({ from, to, token, now }) {
      const markOld = {
        Key: tokenKey(from),
        UpdateExpression: 'SET rotatedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(rotatedAt)',
        ExpressionAttributeValues: { ':now': now },
      }
      const putNew = { Item: toItem(to, token), ConditionExpression: 'attribute_not_exists(pk)' }
      const familyIsNotRevoked = { Key: revocationKey(token.familyId), ConditionExpression: 'attribute_not_exists(pk)' }
      const outcome = await transactWrite(client, [
        { Update: { TableName, ...markOld } },
        { Put: { TableName, ...putNew } },
        { ConditionCheck: { TableName, ...familyIsNotRevoked } },
      ])
      if (outcome === null) return 'rotated'
      const [old] = outcome
      return old?.failed ? 'already_rotated' : 'family_revoked'
    },

    async isFamilyRevoked(familyId) {
      const item = await readItem(client, TableName, revocationKey(familyId))
      return item !== undefined
    },

    async revokeFamily({ familyId, now }) {
      const expiresAt = Math.floor(now / 1000) + REVOCATION_KEPT_SECONDS
      const Item = { ...revocationKey(familyId), familyId, revokedAt: now, expiresAt }
      await callStore(() => client.send(new PutCommand({ TableName, Item })))
    },
  }
}
