import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { OperatedFactors } from '../../authenticators/ports.ts'
import { authenticatorKey } from './authenticatorKeys.ts'
import { atRevision } from './callerStore.ts'
import { putResetStep, putResetSteps } from './factorResetStepStore.ts'
import { checkAccountOf, putReset, removeSeen } from './factorResetStore.ts'
import { userKey } from './keys.ts'
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
  }
}
