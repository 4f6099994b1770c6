import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { products } from '../../billing/catalog.ts'
import { isFree } from '../../billing/slot/slot.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { OwnPlace, Place } from '../../users/deletion/ports.ts'
import { type Key, queryPartition, readItems } from './kit/readItems.ts'
import { listOfUser, membershipKey, parseMembership } from './membershipStore.ts'
import { isBreakGlassOwner, organizationKey } from './organizationItem.ts'
import { parseSlot, slotKey } from './slotStore.ts'

const organizationItem = z.object({
  owners: z._default(z.int(), 0),
  joined: z._default(z.int(), 0),
  deletion: z.optional(z.unknown()),
})

/**
 * A user's place in each of their organizations, consistent.
 * @throws CommonError `service_unavailable`
 */
export async function readPlaces(client: DynamoDBDocumentClient, table: string, userId: UserId): Promise<Place[]> {
  const ids = await listOfUser(client, table, userId)
  const item = await readItems(
    client,
    table,
    ids.map((id) => membershipKey(id, userId)),
  )
  return ids.flatMap((organizationId) => {
    const membership = item(membershipKey(organizationId, userId))
    return membership ? [{ organizationId, role: parseMembership(membership).role }] : []
  })
}

/**
 * The same, with the facts that decide about the user's account. If the user is not the only owner, the last two members are false.
 * @throws CommonError `service_unavailable`
 */
export async function readOwnPlaces(
  client: DynamoDBDocumentClient,
  table: string,
  userId: UserId,
): Promise<OwnPlace[]> {
  const places = await readPlaces(client, table, userId)
  const item = await readItems(
    client,
    table,
    places.map(({ organizationId }) => organizationKey(organizationId)),
  )
  return Promise.all(
    places.map(async (place) => {
      const organization = item(organizationKey(place.organizationId)) ?? {}
      const { owners, joined, deletion } = organizationItem.parse(organization)
      const isAlone = place.role === 'owner' && owners === 1 && deletion === undefined
      const [members, held] = isAlone
        ? await Promise.all([
            countMembers(client, table, place.organizationId),
            listHeldProducts(client, table, place.organizationId),
          ])
        : [0, []]
      return {
        ...{ ...place, owners, joined, isBeingDeleted: deletion !== undefined },
        ...{ hasOtherMembers: members > 1, isSubscribed: held.length > 0 },
        isBreakGlass: isBreakGlassOwner(organization, userId),
      }
    }),
  )
}

async function countMembers(client: DynamoDBDocumentClient, table: string, organizationId: OrganizationId) {
  const { pk } = organizationKey(organizationId)
  return (await queryPartition(client, table, { pk, prefix: 'MEMBER#', attributes: ['sk'] })).length
}

/**
 * The products whose slot an organization holds, by a subscription or a purchase; consistent.
 * @throws CommonError `service_unavailable`
 */
export async function listHeldProducts(client: DynamoDBDocumentClient, table: string, organizationId: OrganizationId) {
  const keys = new Map(products.map((product): [string, Key] => [product, slotKey({ organizationId, product })]))
  const item = await readItems(client, table, [...keys.values()])
  return products.filter((product) => {
    const slot = item(slotKey({ organizationId, product }))
    return slot !== undefined && !isFree(parseSlot(slot))
  })
}
