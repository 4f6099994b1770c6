import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { authenticationSchema, signOnOf, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { NO_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { RefreshToken, RefreshTokens } from '../../oauth/ports.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import { revocationKey } from './keys.ts'
import { readItem, readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWriteOrConflict } from './kit/transactWrite.ts'
import { putItem } from './kit/writeItem.ts'
import { listGrant } from './userSessionStore.ts'

/** Longer than the 30 days that a family lives. */
const REVOCATION_KEPT_SECONDS = 31 * 24 * 60 * 60

function tokenKey(digest: SecretDigest) {
  return { pk: `REFRESH_TOKEN#${digest}`, sk: 'REFRESH_TOKEN' }
}

const tokenItem = z.object({
  clientId: z.string(),
  userId: userIdSchema,
  securityRev: z._default(z.int(), NO_REVISION),
  authentication: z._default(authenticationSchema, UNKNOWN_AUTHENTICATION),
  scope: z.string(),
  familyId: z.string(),
  sessionId: z.exactOptional(z.string()),
  familyEndsAt: z.int(),
  rotatedAt: z.exactOptional(z.int()),
  successorSalt: z.exactOptional(z.string()),
  listedAt: z.exactOptional(z.int()),
  issuedAt: z.exactOptional(z.int()),
})

function toItem(digest: SecretDigest, token: RefreshToken) {
  const { rotatedAt: _rotatedAt, successorSalt: _successorSalt, ...stored } = token
  return { ...tokenKey(digest), ...stored, expiresAt: Math.ceil(token.familyEndsAt / 1000) }
}

/** The write of a new refresh token that belongs to the transaction of what it is issued for. */
export function putRefreshToken(TableName: string, digest: SecretDigest, token: RefreshToken): TransactItem {
  return { Put: { TableName, Item: toItem(digest, token), ConditionExpression: 'attribute_not_exists(pk)' } }
}

/** Refresh tokens in the table `accounts`, by their digest, and the revocations of their families. */
export function createRefreshTokens(client: DynamoDBDocumentClient, TableName: string): RefreshTokens {
  return {
    find: (digest) => readParsed(client, TableName, tokenKey(digest), tokenItem),

    async rotate({ from, to, token, successorSalt, now, notesUse }) {
      const markOld = {
        Key: tokenKey(from),
        UpdateExpression: 'SET rotatedAt = :now, successorSalt = :salt',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(rotatedAt)',
        ExpressionAttributeValues: { ':now': now, ':salt': successorSalt },
      }
      const familyIsNotRevoked = { Key: revocationKey(token.familyId), ConditionExpression: 'attribute_not_exists(pk)' }
      const { userId, clientId, securityRev, familyId, sessionId = familyId, familyEndsAt: endsAt } = token
      const { idleSeconds } = token.authentication
      const signOn = signOnOf(token.authentication)
      const use = { lastUsedAt: now, idleSeconds }
      const listed = { userId, clientId, securityRev, familyId, sessionId, endsAt, ...use, ...signOn }
      const result = await transactWriteOrConflict(client, {
        old: { Update: { TableName, ...markOld } },
        successor: putRefreshToken(TableName, to, notesUse ? { ...token, listedAt: now } : token),
        family: { ConditionCheck: { TableName, ...familyIsNotRevoked } },
        grant: notesUse ? listGrant(TableName, listed) : undefined,
      })
      if (result.kind === 'written') return 'rotated'
      return result.failed.has('family') && !result.failed.has('old') ? 'family_revoked' : 'already_rotated'
    },

    async isFamilyRevoked(familyId) {
      const item = await readItem(client, TableName, revocationKey(familyId))
      return item !== undefined
    },

    async revokeFamily({ familyId, now }) {
      const expiresAt = Math.floor(now / 1000) + REVOCATION_KEPT_SECONDS
      await putItem(client, TableName, { ...revocationKey(familyId), familyId, revokedAt: now, expiresAt })
    },
  }
}
