import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import {
  apiClientIdOf,
  type OrganizationId,
  organizationIdSchema,
  partsOfApiClientId,
  userIdSchema,
} from '../../core/ids.ts'
import type { ApiClientLogin, ApiClientLogins } from '../../oauth/ports.ts'
import { secretDigestSchema } from '../../oauth/secretDigest.ts'
import { MAX_API_CLIENTS, resourceScopeSchema } from '../../organizations/apiClients/apiClient.ts'
import type { ApiClient, ApiClients, OperatedApiClients } from '../../organizations/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { apiClientKey, apiClientPartition } from './keys.ts'
import { type Count, countIn, countOut } from './kit/countItems.ts'
import { queryPartition, readParsed } from './kit/readItems.ts'
import { hasOnlyFailed, type TransactItem } from './kit/transactWrite.ts'
import { deleteItem, updateItem } from './kit/writeItem.ts'
import { checkOwnCaller } from './membershipStore.ts'
import type { TableNames } from './tables.ts'

/** The last use is noted at most once in so many milliseconds. */
const NOTED_EVERY = 60 * 60 * 1000

const item = z.object({
  organizationId: organizationIdSchema,
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(resourceScopeSchema),
  createdAt: z.int(),
  createdBy: z.exactOptional(userIdSchema),
  lastUsedAt: z.exactOptional(z.int()),
  secretDigest: secretDigestSchema,
  previousDigest: z.exactOptional(secretDigestSchema),
  previousSecretUntil: z.exactOptional(z.int()),
})

type ClientName = Pick<ApiClient, 'organizationId' | 'id'>

function keyOf({ organizationId, id }: ClientName) {
  return apiClientKey(apiClientIdOf(organizationId, id))
}

/** How many there are. Behind the clients in the order of keys. */
function countOf(TableName: string, organizationId: OrganizationId): Count {
  return { TableName, Key: { pk: apiClientPartition(organizationId), sk: 'COUNT' }, attribute: 'clients' }
}

/** `ApiClients` on DynamoDB, in the table `accounts`, where their callers' grants are read; owners in `billing`, changes in `auditLog`. */
export function createApiClients(client: DynamoDBDocumentClient, tables: TableNames): ApiClients {
  const TableName = tables.accounts

  /** Makes the writes with their entry while the caller is an owner whose grant is live. */
  async function writeAsOwner(
    organizationId: OrganizationId,
    { by, entry }: Parameters<ApiClients['delete']>[1],
    writes: { client: TransactItem; count?: TransactItem },
  ) {
    return transactWithEntry(client, tables.auditLog, entry, {
      ...writes,
      ...checkOwnCaller(tables, organizationId, by),
    })
  }

  return {
    find: (organizationId, id) => readParsed(client, TableName, keyOf({ organizationId, id }), item),

    async list(organizationId) {
      const pk = apiClientPartition(organizationId)
      const items = await queryPartition(client, TableName, { pk, prefix: 'API_CLIENT#' })
      return items.map((found) => item.parse(found))
    },

    async create(made, secretDigest, write) {
      const { organizationId, id, name, scopes, createdAt, createdBy } = made
      const Item = { ...keyOf(made), organizationId, id, name, scopes, createdAt, createdBy, secretDigest }
      const put = { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
      const writes = { client: put, count: countIn(countOf(TableName, organizationId), MAX_API_CLIENTS) }
      const result = await writeAsOwner(organizationId, write, writes)
      if (result.kind === 'written') return 'written'
      if (result.failed.has('client')) return 'exists'
      // A former owner does not learn how many there are.
      return hasOnlyFailed(result, 'count') ? 'too_many' : 'conflict'
    },

    async rotate(name, { digest, previousUntil, now }, write) {
      const newSecret =
        previousUntil === undefined
          ? {
              UpdateExpression: 'SET secretDigest = :digest REMOVE previousDigest, previousSecretUntil',
              ConditionExpression: 'attribute_exists(pk)',
              ExpressionAttributeValues: { ':digest': digest },
            }
          : {
              UpdateExpression:
                'SET previousDigest = secretDigest, secretDigest = :digest, previousSecretUntil = :until',
              ConditionExpression:
                'attribute_exists(pk) AND (attribute_not_exists(previousSecretUntil) OR previousSecretUntil <= :now)',
              ExpressionAttributeValues: { ':digest': digest, ':until': previousUntil, ':now': now },
            }
      const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const
      const rotate = { TableName, Key: keyOf(name), ...newSecret, ReturnValuesOnConditionCheckFailure }
      const result = await writeAsOwner(name.organizationId, write, { client: { Update: rotate } })
      if (result.kind === 'written') return 'written'
      return result.stored.client === undefined ? 'conflict' : 'rotating'
    },

    async delete(name, write) {
      const remove = { TableName, Key: keyOf(name), ConditionExpression: 'attribute_exists(pk)' }
      const writes = { client: { Delete: remove }, count: countOut(countOf(TableName, name.organizationId)) }
      const result = await writeAsOwner(name.organizationId, write, writes)
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}

/** Erases the API clients of an organization, and their count; safe to repeat. Throws CommonError `service_unavailable`. */
export async function eraseApiClients(
  client: DynamoDBDocumentClient,
  TableName: string,
  organizationId: OrganizationId,
): Promise<void> {
  const pk = apiClientPartition(organizationId)
  const items = await queryPartition(client, TableName, { pk, attributes: ['pk', 'sk'] })
  for (const { sk } of items) await deleteItem(client, TableName, { pk, sk: String(sk) })
}

/** `ApiClientLogins` on DynamoDB, in the table `accounts`. */
export function createApiClientLogins(client: DynamoDBDocumentClient, TableName: string): ApiClientLogins {
  return {
    async find(clientId) {
      const found = await readParsed(client, TableName, apiClientKey(clientId), item)
      return found && toLogin(found)
    },

    async noteUse(clientId, now) {
      await updateItem(client, {
        TableName,
        Key: apiClientKey(clientId),
        UpdateExpression: 'SET lastUsedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :old)',
        ExpressionAttributeValues: { ':now': now, ':old': now - NOTED_EVERY },
      })
    },
  }
}

function toLogin({
  organizationId,
  id,
  name,
  scopes,
  secretDigest,
  ...rotated
}: z.output<typeof item>): ApiClientLogin {
  const { previousDigest, previousSecretUntil } = rotated
  const isRotated = previousDigest !== undefined && previousSecretUntil !== undefined
  return {
    clientId: apiClientIdOf(organizationId, id),
    name,
    scopes,
    secretDigest,
    previousSecret: isRotated ? { digest: previousDigest, validUntil: previousSecretUntil } : undefined,
  }
}

/** `OperatedApiClients` on DynamoDB, in the tables `accounts` and `auditLog`. */
export function createOperatedApiClients(client: DynamoDBDocumentClient, tables: TableNames): OperatedApiClients {
  const { find } = createApiClients(client, tables)
  return {
    find(clientId) {
      const { organizationId, id } = partsOfApiClientId(clientId)
      return find(organizationId, id)
    },

    async changeScopes({ organizationId, id, scopes: before }, scopes, entry) {
      const update = {
        TableName: tables.accounts,
        Key: apiClientKey(apiClientIdOf(organizationId, id)),
        UpdateExpression: 'SET scopes = :scopes',
        ConditionExpression: 'scopes = :before',
        ExpressionAttributeValues: { ':scopes': scopes, ':before': before },
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, { client: { Update: update } })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
