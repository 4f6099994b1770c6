import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../core/ids.ts'
import { type DomainMembers, domainMemberships } from '../../organizations/domains/ports.ts'
import { memberAddedEvent } from '../../organizations/organizationEvents.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { checkOwnAddress } from './callerStore.ts'
import { ownDomainKey } from './domainStore.ts'
import { putEvent } from './eventStore.ts'
import { type Key, readItems, readParsed } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { listForUser, membershipItemOf, membershipViewIn, membershipViewKeys } from './membershipStore.ts'
import { admitMember, organizationKey } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

const ownDomain = z.object({ organizationId: organizationIdSchema, membership: z.enum(domainMemberships) })

/** Exists if the user was removed from the organization, left it, or declined: a domain never brings them in again. */
function apartKey(organizationId: OrganizationId, userId: UserId): Key {
  return { pk: organizationKey(organizationId).pk, sk: `NOT_BY_DOMAIN#${userId}` }
}

/** Keeps domains from bringing the user in again; in the transaction that ends the membership. */
export function keepApart(TableName: string, organizationId: OrganizationId, userId: UserId): TransactItem {
  return { Put: { TableName, Item: apartKey(organizationId, userId) } }
}

/** `DomainMembers` on DynamoDB, in the table `billing`, with entries in `auditLog` and `events`, and users in `accounts`. */
export function createDomainMembers(client: DynamoDBDocumentClient, tables: TableNames): DomainMembers {
  const TableName = tables.billing
  return {
    async find(domain, userId) {
      const own = await readParsed(client, TableName, ownDomainKey(domain), ownDomain)
      if (own === undefined || own.membership === 'none') return undefined
      const { organizationId, membership } = own
      const apart = apartKey(organizationId, userId)
      const item = await readItems(client, TableName, [apart, ...membershipViewKeys(organizationId, [userId])])
      const { organization, roleOf } = membershipViewIn(item, organizationId)
      if (organization === undefined || organization.deletion || item(apart) || roleOf(userId)) return undefined
      return { organization, domain, membership }
    },

    async join({ organization, domain }, joiner, entry) {
      const { id } = organization
      const member = { userId: joiner.userId, role: 'member' } as const
      const apart = { TableName, Key: apartKey(id, joiner.userId), ConditionExpression: 'attribute_not_exists(pk)' }
      const takes = {
        TableName,
        Key: ownDomainKey(domain),
        ConditionExpression: 'organizationId = :organization AND membership <> :none',
        ExpressionAttributeValues: { ':organization': id, ':none': 'none' },
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        user: checkOwnAddress(tables.accounts, joiner),
        domain: { ConditionCheck: takes },
        apart: { ConditionCheck: apart },
        membership: {
          Put: { TableName, Item: membershipItemOf(id, member), ConditionExpression: 'attribute_not_exists(pk)' },
        },
        listed: listForUser(TableName, id, joiner.userId),
        event: putEvent(tables.events, memberAddedEvent(id, member, entry)),
        organization: admitMember(TableName, id, 0),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async decline({ organization: { id } }, joiner, entry) {
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        user: checkOwnAddress(tables.accounts, joiner),
        apart: keepApart(TableName, id, joiner.userId),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
