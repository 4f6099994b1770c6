import * as z from 'zod/mini'
import { deletionSchema } from '../../core/deletion.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import type { Organization } from '../../organizations/ports.ts'
import type { TransactItem } from './kit/transactWrite.ts'

export function organizationKey(organizationId: OrganizationId) {
  return { pk: `ORG#${organizationId}`, sk: 'ACCOUNT' }
}

const organizationPk = z.object({ pk: z.templateLiteral(['ORG#', z.guid()]) })

/** The organization that an item belongs to, as a `KEYS_ONLY` index has it. */
export function organizationIdOf(item: Record<string, unknown>): OrganizationId {
  return organizationIdSchema.parse(organizationPk.parse(item).pk.slice('ORG#'.length))
}

/** A throttle as it is stored. */
export const throttleSchema = z.object({ requestsPerMinute: z.int().check(z.positive()), until: z.int() })

/** The rules of an organization as they are stored. */
export const signInRulesSchema = z.object({
  secondFactorFrom: z.exactOptional(z.int()),
  maxSessionDays: z.exactOptional(z.int()),
  idleHours: z.exactOptional(z.int()),
  allowedClients: z.exactOptional(z.array(z.string())),
})

/** The rule of its single sign-on as it is stored. */
export const signOnRuleSchema = z.object({
  isEnforced: z.boolean(),
  breakGlassUserId: z.exactOptional(userIdSchema),
})

/** A set as it is stored: DynamoDB has no empty sets. */
export const verifiedDomainsSchema = z.pipe(
  z.set(z.string()),
  z.transform((domains) => [...domains].toSorted()),
)

const organizationItem = z.object({
  organizationId: organizationIdSchema,
  name: z.string(),
  createdAt: z.string(),
  deletion: z.optional(deletionSchema),
  throttle: z.exactOptional(throttleSchema),
  signInRules: z.exactOptional(signInRulesSchema),
  signOn: z.exactOptional(signOnRuleSchema),
  verifiedDomains: z.exactOptional(verifiedDomainsSchema),
})

/** The stored organization, without billing's part of the item (`billingAccountStore.ts`). */
export function parseOrganization(item: Record<string, unknown>): Organization {
  const { organizationId: id, deletion, ...organization } = organizationItem.parse(item)
  return { id, ...organization, ...(deletion && { deletion }) }
}

/** Adds a domain that the organization verifies; fails while the organization is being deleted. */
export function addVerifiedDomain(TableName: string, organizationId: OrganizationId, domain: string): TransactItem {
  return {
    Update: {
      TableName,
      Key: organizationKey(organizationId),
      UpdateExpression: 'ADD verifiedDomains :domains',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletion)',
      ExpressionAttributeValues: { ':domains': new Set([domain]) },
    },
  }
}

/** Removes a domain that the organization has verified no longer. */
export function removeVerifiedDomain(TableName: string, organizationId: OrganizationId, domain: string): TransactItem {
  return {
    Update: {
      TableName,
      Key: organizationKey(organizationId),
      UpdateExpression: 'DELETE verifiedDomains :domains',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':domains': new Set([domain]) },
    },
  }
}

/** Counts the owners up or down; `atLeast` refuses a change that would leave fewer. */
export function countOwners(
  table: string,
  organizationId: OrganizationId,
  { gained, atLeast }: { gained: number; atLeast?: number },
): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: 'ADD owners :gained',
      ExpressionAttributeValues: { ':gained': gained, ...(atLeast !== undefined && { ':enough': atLeast - gained }) },
      ...(atLeast !== undefined && { ConditionExpression: 'owners >= :enough' }),
    },
  }
}

/**
 * Counts an owner who loses the role, if no other becomes an owner for them. Refuses to leave no owner, and to take the role from the
 * break-glass owner; the refusal has the stored organization.
 */
export function deposeOwner(
  TableName: string,
  organizationId: OrganizationId,
  { userId, gained }: { userId: UserId; gained: number },
): TransactItem {
  const organization = {
    TableName,
    Key: organizationKey(organizationId),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
  const condition = '(attribute_not_exists(signOn.breakGlassUserId) OR signOn.breakGlassUserId <> :deposed)'
  const values = { ':deposed': userId }
  if (gained === 0)
    return {
      ConditionCheck: { ...organization, ConditionExpression: condition, ExpressionAttributeValues: values },
    }
  return {
    Update: {
      ...organization,
      UpdateExpression: 'ADD owners :gained',
      ConditionExpression: `owners >= :enough AND ${condition}`,
      ExpressionAttributeValues: { ...values, ':gained': gained, ':enough': 1 - gained },
    },
  }
}

/** Whether this user is the break-glass owner of a stored organization. */
export function isBreakGlassOwner(organization: Record<string, unknown>, userId: UserId): boolean {
  return z.object({ signOn: z.optional(signOnRuleSchema) }).parse(organization).signOn?.breakGlassUserId === userId
}

/** Counts a member who joins by invitation, and an owner with them; fails while the organization is being deleted. */
export function admitMember(table: string, organizationId: OrganizationId, gained: number): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: 'ADD owners :gained, joined :one',
      ConditionExpression: 'owners >= :enough AND attribute_not_exists(deletion)',
      ExpressionAttributeValues: { ':gained': gained, ':one': 1, ':enough': 1 - gained },
    },
  }
}

/** Passes only while the organization is not being deleted. */
export function checkNotDeleting(table: string, organizationId: OrganizationId): TransactItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: organizationKey(organizationId),
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletion)',
    },
  }
}
