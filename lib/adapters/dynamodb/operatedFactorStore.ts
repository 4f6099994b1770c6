import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { OperatedFactors } from '../../authenticators/ports.ts'
import { userIdSchema } from '../../core/ids.ts'
import { AUTHENTICATOR_PREFIX, authenticatorKey } from './authenticatorKeys.ts'
import { authenticatorRemoval, keepsSecondFactor } from './authenticatorRemoval.ts'
import { atRevision } from './callerStore.ts'
import { putResetStep, putResetSteps } from './factorResetStepStore.ts'
import { checkAccountOf, putReset, removeSeen } from './factorResetStore.ts'
import { userKey } from './keys.ts'
import { scanItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { writeWithEntries } from './operatedAccountStore.ts'
import type { TableNames } from './tables.ts'

/** `OperatedFactors` on DynamoDB, in the tables `accounts` and `auditLog`. */
export function createOperatedFactors(client: DynamoDBDocumentClient, tables: TableNames): OperatedFactors {
  const { accounts: TableName, auditLog } = tables

  return {
    schedule(userId, reset, { replaces, entries, ...schedule }) {
      const writes = [
        checkAccountOf(TableName, userId, reset),
        putReset(TableName, userId, { reset, replaces }),
        ...putResetSteps(TableName, userId, schedule),
      ]
      return writeWithEntries(client, auditLog, { writes, entries })
    },

    remove({ user, securityRev }, seen, { at, language, entries }) {
      const endGrants: TransactItem = {
        Update: {
          TableName,
          Key: userKey(user.id),
          UpdateExpression: 'SET hasSecondFactor = :false, securityRev = :next REMOVE keptFamily',
          ConditionExpression: `isActive = :active AND (${atRevision(securityRev).join(' OR ')})`,
          ExpressionAttributeValues: {
            ':active': user.isActive,
            ':rev': securityRev,
            ':false': false,
            ':next': securityRev + 1,
          },
        },
      }
      const writes = [
        endGrants,
        { Delete: { TableName, Key: authenticatorKey(user.id, 'RESET') } },
        ...removeSeen(TableName, user.id, seen),
        putResetStep(TableName, { step: 'removed', at, userId: user.id, effectiveAt: at, language }),
      ]
      return writeWithEntries(client, auditLog, { writes, entries })
    },

    removeTotp({ user, securityRev }, seen, { at, language, entries }) {
      const removal = { read: seen, removed: { passkeys: [], totp: seen.totp, recoveryCodes: undefined } }
      const mark: TransactItem = {
        Update: {
          TableName,
          Key: userKey(user.id),
          UpdateExpression: 'SET hasSecondFactor = :has',
          ConditionExpression: `isActive = :active AND (${atRevision(securityRev).join(' OR ')})`,
          ExpressionAttributeValues: {
            ':active': user.isActive,
            ':rev': securityRev,
            ':has': keepsSecondFactor(removal),
          },
        },
      }
      const writes = [
        mark,
        ...authenticatorRemoval(TableName, user.id, removal),
        putResetStep(TableName, { step: 'totp_removed', at, userId: user.id, effectiveAt: at, language }),
      ]
      return writeWithEntries(client, auditLog, { writes, entries })
    },

    async listTotpUsers() {
      const items = await scanItems(client, {
        TableName,
        ConsistentRead: true,
        ProjectionExpression: 'pk',
        FilterExpression: 'sk = :totp',
        ExpressionAttributeValues: { ':totp': totpKeyOf.sk },
      })
      return items.map((item) => userIdSchema.parse(String(item.pk).slice(totpKeyOf.prefix.length)))
    },
  }
}

/** The keys of authenticator apps. */
const totpKeyOf = { prefix: 'USER#', sk: `${AUTHENTICATOR_PREFIX}TOTP` } as const
