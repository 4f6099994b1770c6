import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { FactorReset, FactorResetApprovals, FactorResets, UserAuthenticators } from '../../authenticators/ports.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { checkOwnCaller } from './membershipStore.ts'
import { passkeyRemoval } from './passkeyStore.ts'
import { markSecondFactor } from './secondFactorMark.ts'
import type { TableNames } from './tables.ts'

const resetItem = z.object({
  id: z.string(),
  requestedAt: z.int(),
  securityRev: z.int(),
  effectiveAt: z.optional(z.int()),
  approval: z.optional(z.object({ at: z.int(), by: userIdSchema, organizationId: organizationIdSchema })),
})

/** That the account is as at the request. */
export function checkAccountOf(TableName: string, userId: UserId, { securityRev }: FactorReset): TransactItem {
  return checkCaller(TableName, { userId, securityRev })
}

/** Requests to reset lost second factors, at most one per user, in the table `accounts`. */
export function createFactorResets(client: DynamoDBDocumentClient, TableName: string): FactorResets {
  const resetKey = (userId: UserId) => ({ TableName, Key: authenticatorKey(userId, 'RESET') })
  const withId = (id: string) => ({ ExpressionAttributeValues: { ':id': id } })

  const checkAccount = (userId: UserId, reset: FactorReset) => checkAccountOf(TableName, userId, reset)

  /** Removes a user's single item of this kind if it is unchanged since it was seen. If none was seen, checks that there is still none. */
  function removal(
    userId: UserId,
    kind: 'TOTP' | 'RECOVERY_CODES',
    seen: { lastUsedAt: number } | undefined,
  ): TransactItem {
    const item = { TableName, Key: authenticatorKey(userId, kind) }
    if (seen === undefined) return { ConditionCheck: { ...item, ConditionExpression: 'attribute_not_exists(pk)' } }
    const isSeen = {
      ConditionExpression: 'lastUsedAt = :seen',
      ExpressionAttributeValues: { ':seen': seen.lastUsedAt },
    }
    return { Delete: { ...item, ...isSeen } }
  }

  /** Removes all passkeys of a user, while these are all. */
  function passkeyRemovals(userId: UserId, passkeys: UserAuthenticators['passkeys']): TransactItem[] {
    const isAll = passkeys.length === 0 ? 'attribute_not_exists(passkeys) OR passkeys = :all' : 'passkeys = :all'
    return [
      {
        Delete: {
          TableName,
          Key: authenticatorKey(userId, 'PASSKEY_COUNT'),
          ConditionExpression: isAll,
          ExpressionAttributeValues: { ':all': passkeys.length },
        },
      },
      ...passkeys.flatMap(({ id, lastUsedAt }) => passkeyRemoval(TableName, userId, { id, unusedSince: lastUsedAt })),
    ]
  }

  return {
    find: (userId) => readParsed(client, TableName, authenticatorKey(userId, 'RESET'), resetItem),

    async request(userId, reset, replaces) {
      const condition =
        replaces === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'id = :id', ...withId(replaces.id) }
      const Item = { ...authenticatorKey(userId, 'RESET'), ...resetItem.parse(reset) }
      const result = await transactWrite(client, {
        account: checkAccount(userId, reset),
        reset: { Put: { TableName, Item, ...condition } },
      })
      return result.kind === 'written'
    },

    async cancel(by, id) {
      const result = await transactWrite(client, {
        caller: checkCaller(TableName, by),
        reset: { Delete: { ...resetKey(by.userId), ConditionExpression: 'id = :id', ...withId(id) } },
      })
      requireCallerPassed(result)
      return result.kind === 'written'
    },

    async complete(userId, reset, { passkeys, totp, recoveryCodes }) {
      const result = await transactWrite(client, {
        account: markSecondFactor(TableName, { userId, securityRev: reset.securityRev }, false),
        reset: { Delete: { ...resetKey(userId), ConditionExpression: 'id = :id', ...withId(reset.id) } },
        pendingTotp: { Delete: { TableName, Key: authenticatorKey(userId, 'TOTP_PENDING') } },
        totp: removal(userId, 'TOTP', totp),
        recoveryCodes: removal(userId, 'RECOVERY_CODES', recoveryCodes),
        passkeys: passkeyRemovals(userId, passkeys),
      })
      return result.kind === 'written'
    },
  }
}

/** Approvals of requests to reset lost second factors, in the table `accounts`, by owners in `billing`, with entries in `auditLog`. */
export function createFactorResetApprovals(client: DynamoDBDocumentClient, tables: TableNames): FactorResetApprovals {
  return {
    async approve(by, userId, reset, { effectiveAt, approval, entry }) {
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        ...checkOwnCaller(tables, approval.organizationId, by),
        account: checkAccountOf(tables.accounts, userId, reset),
        reset: {
          Update: {
            TableName: tables.accounts,
            Key: authenticatorKey(userId, 'RESET'),
            UpdateExpression: 'SET effectiveAt = :effectiveAt, approval = :approval',
            ConditionExpression: 'id = :id AND attribute_not_exists(effectiveAt)',
            ExpressionAttributeValues: { ':id': reset.id, ':effectiveAt': effectiveAt, ':approval': approval },
          },
        },
      })
      requireCallerPassed(result)
      return result.kind === 'written'
    },
  }
}
