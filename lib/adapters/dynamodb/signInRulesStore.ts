import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { SignInRules, SignInRulesRecords } from '../../organizations/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { checkCaller, checkCallerWithSecondFactor } from './callerStore.ts'
import { checkOwner } from './membershipStore.ts'
import { organizationKey } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

/** `SignInRulesRecords` on DynamoDB: the rules are part of the organization's item, in the table `billing`. */
export function createSignInRulesRecords(client: DynamoDBDocumentClient, tables: TableNames): SignInRulesRecords {
  return {
    async replace(organizationId, { by, from, to, entry }) {
      const hadNone = Object.keys(from).length === 0 ? ' OR attribute_not_exists(signInRules)' : ''
      const Update = {
        TableName: tables.billing,
        Key: organizationKey(organizationId),
        UpdateExpression: 'SET signInRules = :to',
        ConditionExpression: `attribute_exists(pk) AND (signInRules = :from${hadNone})`,
        ExpressionAttributeValues: { ':from': from, ':to': to },
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        organization: { Update },
        owner: checkOwner(tables.billing, organizationId, by.userId),
        caller: checkerOf(to)(tables.accounts, by),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}

/** What the caller must be when the rules are written. */
function checkerOf({ secondFactorFrom }: SignInRules) {
  return secondFactorFrom === undefined ? checkCaller : checkCallerWithSecondFactor
}
