import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { authenticationSchema, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { NO_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { AuthorizationCode, AuthorizationCodes } from '../../oauth/ports.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import { checkConsent } from './consentStore.ts'
import { readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { putItem } from './kit/writeItem.ts'
import { putRefreshToken } from './refreshTokenStore.ts'
import { checkBrowser, listGrant } from './userSessionStore.ts'

/** Far longer than a code is valid: a replay is recognized for as long as there may be tokens to revoke. */
export const KEPT_SECONDS = 31 * 24 * 60 * 60

function codeKey(digest: SecretDigest) {
  return { pk: `CODE#${digest}`, sk: 'CODE' }
}

const codeItem = z.object({
  clientId: z.string(),
  userId: userIdSchema,
  securityRev: z._default(z.int(), NO_REVISION),
  authentication: z._default(authenticationSchema, UNKNOWN_AUTHENTICATION),
  scope: z.string(),
  redirectUri: z.exactOptional(z.string()),
  codeChallenge: z.exactOptional(z.string()),
  nonce: z.exactOptional(z.string()),
  validUntil: z.int(),
  usedAt: z.exactOptional(z.int()),
  familyId: z.exactOptional(z.string()),
  sessionId: z.exactOptional(z.string()),
  allowedIn: z.exactOptional(z.string()),
  browser: z.exactOptional(z.string()),
  needsConsent: z.exactOptional(z.boolean()),
  isForDevice: z.exactOptional(z.boolean()),
})

function newItem(digest: SecretDigest, code: AuthorizationCode) {
  return { ...codeKey(digest), ...code, expiresAt: Math.floor(code.validUntil / 1000) + KEPT_SECONDS }
}

/** Issues a code in a transaction. */
export function putCode(TableName: string, digest: SecretDigest, code: AuthorizationCode): TransactItem {
  return { Put: { TableName, Item: newItem(digest, code), ConditionExpression: 'attribute_not_exists(pk)' } }
}

/** Authorization codes in the table `accounts`, by their digest. */
export function createAuthorizationCodes(client: DynamoDBDocumentClient, tableName: string): AuthorizationCodes {
  return {
    find: (digest) => readParsed(client, tableName, codeKey(digest), codeItem),

    async consume(digest, { familyId, now, refreshToken, listed, browserSession, consent }) {
      const markUsed = {
        Key: codeKey(digest),
        UpdateExpression: 'SET usedAt = :now, familyId = :family',
        ConditionExpression: 'validUntil > :now AND attribute_not_exists(usedAt)',
        ExpressionAttributeValues: { ':now': now, ':family': familyId },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      }
      const result = await transactWrite(client, {
        code: { Update: { TableName: tableName, ...markUsed } },
        refreshToken: refreshToken && putRefreshToken(tableName, refreshToken.digest, refreshToken.token),
        grant: listed && listGrant(tableName, listed),
        browser: browserSession && checkBrowser(tableName, browserSession),
        consent: consent && checkConsent(tableName, consent),
      })
      if (result.kind === 'written') return { outcome: 'consumed' }
      const usedBy = result.stored.code && codeItem.parse(result.stored.code).familyId
      if (usedBy === undefined) return { outcome: 'expired' }
      // The SDK repeated this caller's own write after a lost answer.
      if (usedBy === familyId) return { outcome: 'consumed' }
      return { outcome: 'already_used', familyId: usedBy }
    },

    async issue(digest, code) {
      await putItem(client, tableName, newItem(digest, code))
    },
  }
}
