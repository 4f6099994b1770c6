import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { organizationIdSchema } from '../../core/ids.ts'
import { invitationIdOf } from '../../organizations/invitationDigests.ts'
import type { Invitation } from '../../organizations/ports.ts'
import { callStore } from './callStore.ts'
import { invitationKey, tokenKey } from './invitationKeys.ts'
import { type Key, queryItems } from './readItems.ts'
import type { TransactItem } from './transactWrite.ts'

const invitedItem = z.object({ organizationId: organizationIdSchema, tokenDigest: z.string() })

/** Where the invitations to an address are found by a digest of it, whatever organization sent them. */
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

/**
 * Erases every invitation to an address, used or not; safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function eraseInvitations(
  client: DynamoDBDocumentClient,
  TableName: string,
  email: string,
): Promise<void> {
  const erase = (Key: Key) => callStore(() => client.send(new DeleteCommand({ TableName, Key })))
  const id = invitationIdOf(email)
  const items = await queryItems(client, {
    TableName,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partitionOf(id) },
  })
  for (const { organizationId, tokenDigest } of items.map((item) => invitedItem.parse(item))) {
    await erase(invitationKey(organizationId, id))
    await erase(tokenKey(tokenDigest))
    // The last, so that a repetition finds what is left.
    await erase(invitedKey({ id, tokenDigest }))
  }
}
