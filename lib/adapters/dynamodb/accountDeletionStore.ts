import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type OrganizationId, type UserId, userIdSchema } from '../../core/ids.ts'
import { userDeletedEvent } from '../../organizations/organizationEvents.ts'
import type { AccountDeletions } from '../../users/deletion/ports.ts'
import { emailKey } from '../../users/emailKey.ts'
import { consumeLink } from './accountLinkStore.ts'
import { asOftenPromoted, toAccount } from './accountStore.ts'
import { putAuditEntry, transactWithEntry } from './auditLogStore.ts'
import { readCaller, whileLive } from './callerStore.ts'
import {
  beginErasure,
  createDueDeletions,
  deleteDue,
  putDue,
  restoreOrganizationItems,
  scheduleOrganization,
} from './deletionItems.ts'
import { announceOnce, putEvent } from './eventStore.ts'
import { identityKeysIn } from './identityStore.ts'
import { eraseInvitations } from './invitedAddress.ts'
import { userKey } from './keys.ts'
import { type Key, queryPartition } from './kit/readItems.ts'
import { hasOnlyFailed, type TransactItem, transactWrite, transactWriteOrConflict } from './kit/transactWrite.ts'
import { deleteItem, updateItem } from './kit/writeItem.ts'
import { changeRole, ownersGained, unlistForUser } from './membershipStore.ts'
import { countOwners, deposeOwner } from './organizationItem.ts'
import { readOwnPlaces, readPlaces } from './ownPlaces.ts'
import { credentialKeysIn } from './passkeyStore.ts'
import { signOnKeysIn } from './providerSessionStore.ts'
import { cookieKeysIn } from './sessionStore.ts'
import type { TableNames } from './tables.ts'
import { emailItemKey, usernameKey } from './userStore.ts'

/** `AccountDeletions` on DynamoDB: users in the table `accounts`, their places in `billing`, what changes there in `auditLog` and `events`. */
export function createAccountDeletions(client: DynamoDBDocumentClient, tables: TableNames): AccountDeletions {
  const { accounts: TableName, billing, auditLog, events } = tables
  const erase = (key: Key) => deleteItem(client, TableName, key)

  return {
    ...createDueDeletions(client, TableName, (id) => userIdSchema.parse(id)),

    async read(caller) {
      // In this order: if the user becomes an owner after the first read, the write sees another count of promotions.
      const account = toAccount(await readCaller(client, TableName, caller))
      return { account, places: await readOwnPlaces(client, billing, caller.userId) }
    },

    async schedule({ user, securityRev, promotions }, deletion, { erased, handedOver }) {
      const asRead = asOftenPromoted({ promotions })
      const { ConditionExpression, ExpressionAttributeValues } = whileLive({ securityRev })
      const switchOff: TransactItem = {
        Update: {
          TableName,
          Key: userKey(user.id),
          UpdateExpression: 'SET isActive = :false, securityRev = :next, deletion = :deletion REMOVE keptFamily',
          ConditionExpression: `${ConditionExpression} AND ${asRead.condition}`,
          ExpressionAttributeValues: {
            ...ExpressionAttributeValues,
            ':false': false,
            ...asRead.values,
            ':next': securityRev + 1,
            ':deletion': deletion,
          },
        },
      }
      const result = await transactWriteOrConflict(client, {
        account: switchOff,
        due: putDue(TableName, user.id, deletion),
        erased: erased.flatMap((place) =>
          scheduleOrganization(billing, place.organizationId, deletion, { members: place, steps: ['erase'] }),
        ),
        handedOver: handedOver.flatMap(({ organizationId, entry }) => [
          ...changeRole(tables, organizationId, { userId: user.id, from: 'owner', to: 'billing_admin' }, entry),
          deposeOwner(billing, organizationId, { userId: user.id, gained: -1 }),
        ]),
        entries: [...erased, ...handedOver].map(({ entry }) => putAuditEntry(auditLog, entry)),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async restore(use, deletion, entries) {
      const { userId, securityRev } = use.link
      const switchOn: TransactItem = {
        Update: {
          TableName,
          Key: userKey(userId),
          UpdateExpression: 'SET isActive = :true, securityRev = :next REMOVE deletion',
          ConditionExpression:
            'securityRev = :rev AND deletion.eraseAfter = :eraseAfter AND attribute_not_exists(deletion.erasingSince)',
          ExpressionAttributeValues: {
            ':true': true,
            ':rev': securityRev,
            ':next': securityRev + 1,
            ':eraseAfter': deletion.eraseAfter,
          },
        },
      }
      const result = await transactWriteOrConflict(client, {
        link: consumeLink(TableName, use),
        account: switchOn,
        due: deleteDue(TableName, userId, deletion),
        organizations: deletion.organizations.flatMap((id) => restoreOrganizationItems(billing, id, deletion)),
        entries: entries.map((entry) => putAuditEntry(auditLog, entry)),
      })
      return result.kind === 'written' ? 'done' : 'link_invalid'
    },

    async begin(userId, deletion, now) {
      const { ConditionExpression, ExpressionAttributeValues, UpdateExpression } = beginErasure(deletion, now)
      const result = await updateItem(client, {
        TableName,
        Key: userKey(userId),
        UpdateExpression,
        // An account that was switched on by another way than the link is kept.
        ConditionExpression: `${ConditionExpression} AND isActive = :false`,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':false': false },
      })
      return result.kind === 'written' ? 'begun' : 'not_due'
    },

    listPlaces: (userId) => readPlaces(client, billing, userId),

    async leave(userId, { organizationId, role }, entry) {
      const gained = ownersGained({ from: role, to: null })
      const result = await transactWithEntry(client, auditLog, entry, {
        membership: changeRole(tables, organizationId, { userId, from: role, to: null }, entry),
        left: rememberLeft(TableName, userId, organizationId),
        listed: unlistForUser(billing, organizationId, userId),
        owners: gained === 0 ? undefined : countOwners(billing, organizationId, { gained, atLeast: 1 }),
      })
      if (result.kind === 'written') return 'written'
      return hasOnlyFailed(result, 'owners') ? 'last_owner' : 'conflict'
    },

    eraseInvitations: (email) => eraseInvitations(client, billing, email),

    async eraseBelongings(userId) {
      const { pk, sk: own } = userKey(userId)
      const items = await queryPartition(client, TableName, { pk })
      for (const item of items.filter(({ sk }) => sk !== own)) {
        // Delete the lookup items first: a retry finds them through the item itself.
        const leading = [credentialKeysIn, cookieKeysIn, identityKeysIn, signOnKeysIn].flatMap((keysIn) => keysIn(item))
        for (const key of leading) await erase(key)
        await erase({ pk, sk: String(item.sk) })
      }
    },

    async eraseUser({ user }, deletion, { organizations, at }) {
      /** If this is repeated, another account may hold it by now. */
      const ifHeld = {
        TableName,
        ConditionExpression: 'attribute_not_exists(pk) OR userId = :id',
        ExpressionAttributeValues: { ':id': user.id },
      }
      const announced = organizations.toSorted().map((organizationId) => userDeletedEvent(organizationId, user.id, at))
      for (const event of announced.slice(ANNOUNCED_AT_ONCE)) await announceOnce(client, events, event)
      await transactWrite(client, {
        user: {
          Delete: {
            TableName,
            Key: userKey(user.id),
            ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND attribute_exists(deletion.erasingSince)',
            ExpressionAttributeValues: { ':eraseAfter': deletion.eraseAfter },
          },
        },
        email: { Delete: { ...ifHeld, Key: emailItemKey(emailKey(user.email)) } },
        username: { Delete: { ...ifHeld, Key: usernameKey(user.username) } },
        due: deleteDue(TableName, user.id, deletion),
        events: announced.slice(0, ANNOUNCED_AT_ONCE).flatMap((event) => putEvent(events, event)),
      })
    },
  }
}

/** How many events fit into the transaction that erases a user: it takes 100 items. The other events go before it. */
const ANNOUNCED_AT_ONCE = 95

/** Remembers an organization that the erasure left, so that a later run still announces the erasure there. */
function rememberLeft(TableName: string, userId: UserId, organizationId: OrganizationId): TransactItem {
  return {
    Update: {
      TableName,
      Key: userKey(userId),
      UpdateExpression: 'SET deletion.#left = list_append(if_not_exists(deletion.#left, :none), :own)',
      ConditionExpression: 'attribute_exists(deletion.erasingSince)',
      ExpressionAttributeNames: { '#left': 'left' },
      ExpressionAttributeValues: { ':none': [], ':own': [organizationId] },
    },
  }
}
