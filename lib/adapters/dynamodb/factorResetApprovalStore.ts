import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { FactorResetApprovals } from '../../authenticators/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkAccountOf } from './factorResetStore.ts'
import { checkOwnCaller } from './membershipStore.ts'
import type { TableNames } from './tables.ts'

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
