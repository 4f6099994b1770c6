import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { FactorReset, FactorResetApprovals, FactorResets, UserAuthenticators } from '../../authenticators/ports.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { languages } from '../../core/language.ts'
import type { Account } from '../../users/ports.ts'
import { consumeLink } from './accountLinkStore.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller, whileLive } from './callerStore.ts'
import { putResetSteps } from './factorResetStepStore.ts'
import { userKey } from './keys.ts'
import { readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { checkOwnCaller } from './membershipStore.ts'
import { passkeyRemoval } from './passkeyStore.ts'
import type { TableNames } from './tables.ts'

const resetItem = z.object({
  id: z.string(),
  requestedAt: z.int(),
  // Requests of earlier versions were not confirmed by mail: no account has this.
  credentialsRev: z._default(z.int(), -1),
  language: z._default(z.enum(languages), 'en'),
  effectiveAt: z.optional(z.int()),
  approval: z.optional(z.object({ at: z.int(), by: userIdSchema, organizationId: organizationIdSchema })),
  operated: z.optional(z.object({ trustedUntil: z.int() })),
})

/** That the account is active, with the password and the address of the user's request. */
function whileSameCredentials({ credentialsRev, operated }: Pick<FactorReset, 'credentialsRev' | 'operated'>) {
  if (operated !== undefined) {
    return { ConditionExpression: 'isActive = :true', ExpressionAttributeValues: { ':true': true } }
  }
  const isSame = credentialsRev === 0 ? 'attribute_not_exists(credentialsRev)' : 'credentialsRev = :credentials'
  return {
    ConditionExpression: `isActive = :true AND ${isSame}`,
    ExpressionAttributeValues: { ':true': true, ...(credentialsRev !== 0 && { ':credentials': credentialsRev }) },
  }
}

export function checkAccountOf(TableName: string, userId: UserId, reset: FactorReset): TransactItem {
  return { ConditionCheck: { TableName, Key: userKey(userId), ...whileSameCredentials(reset) } }
}

/** The end of every grant, and of the second factor, of an account that is as it was read. */
function endGrantsWithoutFactor(
  TableName: string,
  { user, securityRev }: Pick<Account, 'user' | 'securityRev'>,
  reset: FactorReset,
): TransactItem {
  const [live, same] = [whileLive({ securityRev }), whileSameCredentials(reset)]
  return {
    Update: {
      TableName,
      Key: userKey(user.id),
      UpdateExpression: 'SET hasSecondFactor = :false, securityRev = :next REMOVE keptFamily',
      ConditionExpression: `${live.ConditionExpression} AND ${same.ConditionExpression}`,
      ExpressionAttributeValues: {
        ...live.ExpressionAttributeValues,
        ...same.ExpressionAttributeValues,
        ':false': false,
        ':next': securityRev + 1,
      },
    },
  }
}

/** Stores a request in place of `replaces`. */
export function putReset(
  TableName: string,
  userId: UserId,
  { reset, replaces }: { reset: FactorReset; replaces: FactorReset | undefined },
): TransactItem {
  const condition =
    replaces === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': replaces.id } }
  return { Put: { TableName, Item: { ...authenticatorKey(userId, 'RESET'), ...resetItem.parse(reset) }, ...condition } }
}

/** Removes a user's single item of this kind if it is unchanged since it was seen. If none was seen, checks that there is still none. */
function singleRemoval(
  TableName: string,
  userId: UserId,
  { kind, seen }: { kind: 'TOTP' | 'RECOVERY_CODES'; seen: { lastUsedAt: number } | undefined },
): TransactItem {
  const item = { TableName, Key: authenticatorKey(userId, kind) }
  if (seen === undefined) return { ConditionCheck: { ...item, ConditionExpression: 'attribute_not_exists(pk)' } }
  const isSeen = {
    ConditionExpression: 'lastUsedAt = :seen',
    ExpressionAttributeValues: { ':seen': seen.lastUsedAt },
  }
  return { Delete: { ...item, ...isSeen } }
}

/** Removes every authenticator of a user, and a pending enrollment, while the user has exactly those that were seen, unused since. */
export function removeSeen(
  TableName: string,
  userId: UserId,
  { passkeys, totp, recoveryCodes }: UserAuthenticators,
): TransactItem[] {
  const isAll = passkeys.length === 0 ? 'attribute_not_exists(passkeys) OR passkeys = :all' : 'passkeys = :all'
  return [
    { Delete: { TableName, Key: authenticatorKey(userId, 'TOTP_PENDING') } },
    singleRemoval(TableName, userId, { kind: 'TOTP', seen: totp }),
    singleRemoval(TableName, userId, { kind: 'RECOVERY_CODES', seen: recoveryCodes }),
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

/** Requests to remove lost second factors, at most one per user, in the table `accounts`. */
export function createFactorResets(client: DynamoDBDocumentClient, TableName: string): FactorResets {
  const resetKey = (userId: UserId) => ({ TableName, Key: authenticatorKey(userId, 'RESET') })
  const withId = (id: string) => ({ ExpressionAttributeValues: { ':id': id } })

  const checkAccount = (userId: UserId, reset: FactorReset) => checkAccountOf(TableName, userId, reset)

  return {
    find: (userId) => readParsed(client, TableName, authenticatorKey(userId, 'RESET'), resetItem),

    async request(userId, reset, replaces) {
      const result = await transactWrite(client, {
        account: checkAccount(userId, reset),
        reset: putReset(TableName, userId, { reset, replaces }),
      })
      return result.kind === 'written'
    },

    async confirm(use, reset, schedule) {
      const { userId } = use.link
      const result = await transactWrite(client, {
        link: consumeLink(TableName, use),
        account: checkAccount(userId, reset),
        reset: {
          Update: {
            ...resetKey(userId),
            UpdateExpression: 'SET effectiveAt = :effectiveAt',
            ConditionExpression: 'id = :id AND attribute_not_exists(effectiveAt)',
            ExpressionAttributeValues: { ':id': reset.id, ':effectiveAt': schedule.effectiveAt },
          },
        },
        steps: putResetSteps(TableName, userId, schedule),
      })
      return result.kind === 'written' ? 'done' : 'link_invalid'
    },

    async cancel(by, id) {
      const result = await transactWrite(client, {
        caller: checkCaller(TableName, by),
        reset: { Delete: { ...resetKey(by.userId), ConditionExpression: 'id = :id', ...withId(id) } },
      })
      requireCallerPassed(result)
      return result.kind === 'written'
    },

    async complete(account, reset, seen) {
      const { id: userId } = account.user
      const result = await transactWrite(client, {
        account: endGrantsWithoutFactor(TableName, account, reset),
        reset: { Delete: { ...resetKey(userId), ConditionExpression: 'id = :id', ...withId(reset.id) } },
        authenticators: removeSeen(TableName, userId, seen),
      })
      return result.kind === 'written'
    },
  }
}

/** Approvals of requests to reset lost second factors, in the table `accounts`, by owners in `billing`, with entries in `auditLog`. */
export function createFactorResetApprovals(client: DynamoDBDocumentClient, tables: TableNames): FactorResetApprovals {
  return {
    async approve(by, userId, reset, { approval, entry, ...schedule }) {
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        ...checkOwnCaller(tables, approval.organizationId, by),
        account: checkAccountOf(tables.accounts, userId, reset),
        reset: {
          Update: {
            TableName: tables.accounts,
            Key: authenticatorKey(userId, 'RESET'),
            UpdateExpression: 'SET effectiveAt = :effectiveAt, approval = :approval',
            ConditionExpression: 'id = :id AND effectiveAt = :before AND attribute_not_exists(approval)',
            ExpressionAttributeValues: {
              ':id': reset.id,
              ':before': reset.effectiveAt,
              ':effectiveAt': schedule.effectiveAt,
              ':approval': approval,
            },
          },
        },
        steps: putResetSteps(tables.accounts, userId, schedule),
      })
      requireCallerPassed(result)
      return result.kind === 'written'
    },
  }
}
