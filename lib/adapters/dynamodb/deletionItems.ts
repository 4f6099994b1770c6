import { products } from '../../billing/catalog.ts'
import type { Deletion, DueDeletion } from '../../core/deletion.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { deleteDue, putDue } from './dueDeletionStore.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { organizationKey } from './organizationItem.ts'
import { checkSlotFree } from './slotStore.ts'

/** Nothing is sold to an organization: each slot is free. Purchases see in turn, once they have claimed, that it is being deleted (`readClaims`). */
export function checkSlotsFree(table: string, organizationId: OrganizationId): TransactItem[] {
  return products.map((product) => checkSlotFree(table, { organizationId, product }))
}

/** The members that an organization has, as they were read. */
interface Members {
  readonly owners: number
  readonly joined: number
}

/**
 * Plans the erasure of an organization to which nothing is sold. Fails if its deletion is planned already, or, with
 * `members`, if a member has joined since.
 */
export function scheduleOrganization(
  table: string,
  organizationId: OrganizationId,
  { organizations: _, ...deletion }: Deletion & { organizations?: unknown },
  { members, steps }: { members?: Members; steps?: readonly DueDeletion<string>['step'][] } = {},
): TransactItem[] {
  const asRead =
    members === undefined
      ? []
      : ['owners = :owners', members.joined === 0 ? 'attribute_not_exists(joined)' : 'joined = :joined']
  return [
    {
      Update: {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'SET deletion = :deletion',
        ConditionExpression: ['attribute_exists(pk)', 'attribute_not_exists(deletion)', ...asRead].join(' AND '),
        ExpressionAttributeValues: {
          ':deletion': deletion,
          ...(members && { ':owners': members.owners }),
          ...(members && members.joined > 0 && { ':joined': members.joined }),
        },
      },
    },
    ...checkSlotsFree(table, organizationId),
    ...putDue(table, organizationId, deletion, steps),
  ]
}

/** Takes the deletion of an organization back, while its erasure has not begun. */
export function restoreOrganizationItems(
  table: string,
  organizationId: OrganizationId,
  deletion: Pick<Deletion, 'eraseAfter'>,
): TransactItem[] {
  return [
    {
      Update: {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'REMOVE deletion',
        ...whileScheduled(deletion),
      },
    },
    ...deleteDue(table, organizationId, deletion),
  ]
}

/** Passes only while this deletion is planned, and its erasure has not begun. */
export function whileScheduled({ eraseAfter }: Pick<Deletion, 'eraseAfter'>) {
  return {
    ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND attribute_not_exists(deletion.erasingSince)',
    ExpressionAttributeValues: { ':eraseAfter': eraseAfter },
  }
}

/**
 * From then on the deletion cannot be undone. Its time is part of the condition: when an undoing and an erasure
 * compete, only the first succeeds. Passes again if the erasure has begun before.
 */
export function beginErasure({ eraseAfter }: Pick<Deletion, 'eraseAfter'>, now: number) {
  return {
    UpdateExpression: 'SET deletion.erasingSince = if_not_exists(deletion.erasingSince, :now)',
    ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND deletion.eraseAfter <= :now',
    ExpressionAttributeValues: { ':eraseAfter': eraseAfter, ':now': now },
  }
}
