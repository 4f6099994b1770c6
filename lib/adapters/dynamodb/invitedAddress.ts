import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { invitationIdOf } from '../../organizations/invitations/invitationDigests.ts'
import type { Invitation } from '../../organizations/ports.ts'
import { invitationKey, invitationTokenKey } from './keys.ts'
import { type Key, queryPartition, readItem, scanItems } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { deleteItem } from './kit/writeItem.ts'

const invitedItem = z.object({ organizationId: organizationIdSchema, tokenDigest: z.string() })

/** The partition of all invitations to an address, from any organization, by the digest of the address. */
function partitionOf(id: string): string {
  return `INVITED#${id}`
}

/** The key under which an invitation is listed by its address. */
export function invitedKey({ id, tokenDigest }: Pick<Invitation, 'id' | 'tokenDigest'>): Key {
  return { pk: partitionOf(id), sk: tokenDigest }
}

/** Lists an invitation by its address; in the transaction that stores it. */
export function listByAddress(
  TableName: string,
  invitation: Pick<Invitation, 'id' | 'organizationId' | 'tokenDigest' | 'validUntil'>,
): TransactItem {
  const { organizationId, tokenDigest, validUntil } = invitation
  return { Put: { TableName, Item: { ...invitedKey(invitation), organizationId, tokenDigest, validUntil } } }
}

const listedItem = z.extend(invitedItem, { validUntil: z.int() })

/** An organization that has invited an address, and its position in the list of these. */
interface InvitingOrganization {
  readonly organizationId: OrganizationId
  readonly position: string
}

/**
 * The organizations whose invitations to the address `id` have not expired, the latest invitation first. The invitations may be used,
 * revoked or void.
 * @throws CommonError `service_unavailable`
 */
export async function organizationsThatInvited(
  client: DynamoDBDocumentClient,
  TableName: string,
  id: string,
  now: number,
): Promise<InvitingOrganization[]> {
  const items = await queryPartition(client, TableName, { pk: partitionOf(id) })
  const latest = new Map<OrganizationId, number>()
  for (const { organizationId, validUntil } of items.map((item) => listedItem.parse(item))) {
    if (validUntil > now) latest.set(organizationId, Math.max(validUntil, latest.get(organizationId) ?? 0))
  }
  // Times of today and of centuries to come have as many digits.
  return [...latest]
    .map(([organizationId, validUntil]) => ({ organizationId, position: `${validUntil} ${organizationId}` }))
    .sort((one, other) => (one.position < other.position ? 1 : -1))
}

/**
 * Erases every invitation to an address, used or not; safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function eraseInvitations(
  client: DynamoDBDocumentClient,
  TableName: string,
  email: string,
): Promise<void> {
  const erase = (key: Key) => deleteItem(client, TableName, key)
  const id = invitationIdOf(email)
  const items = await queryPartition(client, TableName, { pk: partitionOf(id) })
  for (const { organizationId, tokenDigest } of items.map((item) => invitedItem.parse(item))) {
    await erase(invitationKey(organizationId, id))
    await erase(invitationTokenKey(tokenDigest))
    // Last, so that a retry still finds the others.
    await erase(invitedKey({ id, tokenDigest }))
  }
}

const olderItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  tokenDigest: z.string(),
  validUntil: z.int(),
})

/**
 * Lists the invitations from before there was this list, expired invitations too, because nothing else deletes them.
 * Scans the table; safe to repeat. Returns how many were missing.
 * @throws CommonError `service_unavailable`, then some may be listed
 */
export async function listOlderInvitations(
  client: DynamoDBDocumentClient,
  TableName: string,
  { dryRun }: { dryRun: boolean },
): Promise<number> {
  const items = await scanItems(client, {
    TableName,
    ConsistentRead: true,
    FilterExpression: 'begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':prefix': 'INVITE#' },
  })
  let listed = 0
  for (const item of items) {
    const invitation = olderItem.parse(item)
    if ((await readItem(client, TableName, invitedKey(invitation))) !== undefined) continue
    // Skips an invitation that was used, revoked or replaced since.
    const current = {
      TableName,
      Key: invitationKey(invitation.organizationId, invitation.id),
      ConditionExpression: 'tokenDigest = :digest',
      ExpressionAttributeValues: { ':digest': invitation.tokenDigest },
    }
    const writes = { current: { ConditionCheck: current }, listed: listByAddress(TableName, invitation) }
    if (dryRun || (await transactWrite(client, writes)).kind === 'written') listed += 1
  }
  return listed
}
