import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import type { OrganizationDeletions } from '../../organizations/deletion/ports.ts'
import { organizationDeletedEvent } from '../../organizations/organizationEvents.ts'
import { eraseApiClients } from './apiClientStore.ts'
import { putAuditEntry, transactWithEntry } from './auditLogStore.ts'
import {
  beginErasure,
  checkSlotsFree,
  createDueDeletions,
  deleteDue,
  restoreOrganizationItems,
  scheduleOrganization,
} from './deletionItems.ts'
import { eraseOwnDomain, isDomain } from './domainStore.ts'
import { expireEndpoints } from './endpointStore.ts'
import { putEvent } from './eventStore.ts'
import { parseInvitation } from './invitationStore.ts'
import { invitedKey } from './invitedAddress.ts'
import { invitationTokenKey } from './keys.ts'
import { type Item, type Key, queryPartition, readItem } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { deleteItem } from './kit/writeItem.ts'
import { checkOwnCaller, membershipKey, parseMembership, unlistForUser } from './membershipStore.ts'
import { organizationKey, parseOrganization } from './organizationItem.ts'
import { listHeldProducts } from './ownPlaces.ts'
import type { TableNames } from './tables.ts'

/** `OrganizationDeletions` on DynamoDB, in the table `billing`, with its changes in `auditLog` and `events`, and its callers in `accounts`. */
export function createOrganizationDeletions(client: DynamoDBDocumentClient, tables: TableNames): OrganizationDeletions {
  const TableName = tables.billing
  const erase = (key: Key) => deleteItem(client, TableName, key)
  const query = (organizationId: OrganizationId) =>
    queryPartition(client, TableName, { pk: organizationKey(organizationId).pk })

  return {
    ...createDueDeletions(client, TableName, (id) => organizationIdSchema.parse(id)),

    listHeld: (organizationId) => listHeldProducts(client, TableName, organizationId),

    async schedule(organizationId, { by, deletion, entry }) {
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        organization: scheduleOrganization(TableName, organizationId, deletion),
        ...checkOwnCaller(tables, organizationId, by),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async restore(organizationId, { by, deletion, entry }) {
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        organization: restoreOrganizationItems(TableName, organizationId, deletion),
        ...checkOwnCaller(tables, organizationId, by),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async find(organizationId) {
      const item = await readItem(client, TableName, organizationKey(organizationId))
      return item && parseOrganization(item)
    },

    async listMembers(organizationId) {
      return (await query(organizationId)).filter(isMember).map(parseMembership)
    },

    async begin(organizationId, deletion, now) {
      const result = await transactWrite(client, {
        organization: { Update: { TableName, Key: organizationKey(organizationId), ...beginErasure(deletion, now) } },
        slots: checkSlotsFree(TableName, organizationId),
      })
      if (result.kind === 'written') return 'begun'
      return result.failed.has('slots') ? 'held' : 'not_due'
    },

    async eraseBelongings(organizationId) {
      for (const item of await query(organizationId)) {
        if (isMember(item) || isKept(item)) continue
        if (String(item.sk).startsWith('INVITE#')) {
          const invitation = parseInvitation(item)
          await erase(invitationTokenKey(invitation.tokenDigest))
          await erase(invitedKey(invitation))
        }
        if (isDomain(item)) await eraseOwnDomain(client, TableName, item)
        await erase({ pk: String(item.pk), sk: String(item.sk) })
      }
    },

    async eraseMember(organizationId, { userId }) {
      await transactWrite(client, {
        membership: { Delete: { TableName, Key: membershipKey(organizationId, userId) } },
        listed: unlistForUser(TableName, organizationId, userId),
      })
    },

    eraseApiClients: (organizationId) => eraseApiClients(client, tables.accounts, organizationId),

    expireEndpoints: (organizationId, now) => expireEndpoints(client, tables.events, organizationId, now),

    async eraseOrganization(organizationId, deletion, entry) {
      await transactWrite(client, {
        organization: {
          Delete: {
            TableName,
            Key: organizationKey(organizationId),
            ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND attribute_exists(deletion.erasingSince)',
            ExpressionAttributeValues: { ':eraseAfter': deletion.eraseAfter },
          },
        },
        due: deleteDue(TableName, organizationId, deletion),
        entry: putAuditEntry(tables.auditLog, entry),
        event: putEvent(tables.events, organizationDeletedEvent(organizationId, entry)),
      })
    },
  }
}

function isMember({ sk }: Item): boolean {
  return String(sk).startsWith('MEMBER#')
}

/** The organization, which is erased last, and the slots, because their numbers of purchases must never be reused. */
function isKept({ sk }: Item): boolean {
  return sk === 'ACCOUNT' || String(sk).startsWith('SLOT#')
}
