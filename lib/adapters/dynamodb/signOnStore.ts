import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema, userIdSchema } from '../../core/ids.ts'
import type { CompanySignOn, CompanySignOns } from '../../organizations/signOn/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { type Key, readParsed } from './kit/readItems.ts'
import { hasOnlyFailed, type TransactItem } from './kit/transactWrite.ts'
import { checkOwnCaller } from './membershipStore.ts'
import { organizationKey } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

/** A sign-on as it is stored. */
export const signOnItem = z.object({
  organizationId: organizationIdSchema,
  issuer: z.string(),
  clientId: z.string(),
  cipher: z.string(),
  isEnforced: z.boolean(),
  trustAcr: z.boolean(),
  breakGlassUserId: z.exactOptional(userIdSchema),
  updatedAt: z.int(),
})

export function signOnKey(organizationId: OrganizationId): Key {
  return { pk: organizationKey(organizationId).pk, sk: 'SIGN_ON' }
}

/** `CompanySignOns` on DynamoDB, in the table `billing`, with their entries in `auditLog`, and their callers in `accounts`. */
export function createCompanySignOns(client: DynamoDBDocumentClient, tables: TableNames): CompanySignOns {
  const TableName = tables.billing

  return {
    find: (organizationId) => readParsed(client, TableName, signOnKey(organizationId), signOnItem),

    async put(signOn, { by, entry }) {
      const { organizationId } = signOn
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        signOn: { Put: { TableName, Item: { ...signOnKey(organizationId), ...asStored(signOn) } } },
        organization: writeRule(TableName, signOn),
        ...checkOwnCaller(tables, organizationId, by),
      })
      if (result.kind === 'written') return 'written'
      // A former owner does not learn whether there is a domain.
      return hasOnlyFailed(result, 'organization') ? 'domain_required' : 'conflict'
    },

    async remove(organizationId, { by, entry }) {
      const Key = signOnKey(organizationId)
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        signOn: { Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
        organization: removeRule(TableName, organizationId),
        ...checkOwnCaller(tables, organizationId, by),
      })
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'signOn') ? 'none' : 'conflict'
    },
  }
}

/** An attribute without a value is left out. */
function asStored({ breakGlassUserId, ...signOn }: CompanySignOn) {
  return { ...signOn, ...(breakGlassUserId && { breakGlassUserId }) }
}

/** Fails if the organization has no verified domain: DynamoDB has no empty sets. */
function writeRule(TableName: string, signOn: CompanySignOn): TransactItem {
  const { organizationId, isEnforced, breakGlassUserId } = asStored(signOn)
  return {
    Update: {
      TableName,
      Key: organizationKey(organizationId),
      UpdateExpression: 'SET signOn = :rule',
      ConditionExpression: 'attribute_exists(verifiedDomains)',
      ExpressionAttributeValues: { ':rule': { isEnforced, ...(breakGlassUserId && { breakGlassUserId }) } },
    },
  }
}

function removeRule(TableName: string, organizationId: OrganizationId): TransactItem {
  return {
    Update: {
      TableName,
      Key: organizationKey(organizationId),
      UpdateExpression: 'REMOVE signOn',
      ConditionExpression: 'attribute_exists(pk)',
    },
  }
}
