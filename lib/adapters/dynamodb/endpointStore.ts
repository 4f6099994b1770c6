import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { MAX_ENDPOINTS } from '../../events/endpoints/newEndpoint.ts'
import type { Endpoints, OwnersWrite } from '../../events/endpoints/ports.ts'
import type { Endpoint, EndpointListing, EndpointName, EndpointOwner } from '../../events/ports.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { parseEndpoint } from './endpointItem.ts'
import { ENDPOINT, endpointCountKey, endpointKey, ownerPartition } from './eventKeys.ts'
import { expiryOf } from './eventStore.ts'
import { type Count, countIn, countOut } from './kit/countItems.ts'
import { queryPartition, readParsed } from './kit/readItems.ts'
import { hasOnlyFailed, type NamedItems, type TransactResult, transactWriteOrConflict } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { checkOwnCaller } from './membershipStore.ts'
import type { TableNames } from './tables.ts'

/** `EndpointListing` on DynamoDB, in the table `events`. */
export function createEndpointListing(client: DynamoDBDocumentClient, table: string): EndpointListing {
  return {
    async list(owner) {
      const items = await queryPartition(client, table, { pk: ownerPartition(owner), prefix: ENDPOINT })
      return items.map(parseEndpoint)
    },
  }
}

/** The members that an owner changes. */
const changeable = ['url', 'description', 'enabled', 'eventTypes'] as const

/** `Endpoints` on DynamoDB, in the table `events`; owners in `billing`, their grants in `accounts`, changes in `auditLog`. */
export function createEndpoints(
  client: DynamoDBDocumentClient,
  { events: TableName, ...tables }: TableNames & { readonly events: string },
): Endpoints {
  const write = <Name extends string>(owner: EndpointOwner, write: OwnersWrite | undefined, writes: NamedItems<Name>) =>
    writeForOwner(client, tables, { owner, ...write }, writes)

  const find = (owner: EndpointOwner, id: string) =>
    readParsed(client, TableName, endpointKey(owner, id), { parse: parseEndpoint })

  return {
    ...createEndpointListing(client, TableName),
    find,

    async create(endpoint, secret, by) {
      const { owner } = endpoint
      const Item = { ...endpointKey(owner, endpoint.id), ...storedMembers(endpoint), secret }
      const result = await write(owner, by, {
        endpoint: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
        count: countIn(countOf(TableName, owner), MAX_ENDPOINTS),
      })
      if (result.kind === 'written') return 'written'
      if (result.failed.has('endpoint')) return 'exists'
      // A former owner does not learn how many there are.
      return hasOnlyFailed(result, 'count') ? 'too_many' : 'conflict'
    },

    async change(before, next, by) {
      const { owner, id } = before
      // Two owners change different members at once.
      const changed = changeable.filter((member) => `${before[member]}` !== `${next[member]}`)
      const isNew = next.url !== before.url || (next.enabled && !before.enabled)
      const set = changed.filter((member) => next[member] !== null)
      const emptied = changed.filter((member) => next[member] === null).map((member) => `#${member}`)
      const removals = [...emptied, ...(isNew ? ['disabledReason', 'failingSince', 'slowUntil'] : [])]
      const parts = [
        ...(set.length > 0 ? [`SET ${set.map((member) => `#${member} = :${member}`).join(', ')}`] : []),
        ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
      ]
      const change = {
        TableName,
        Key: endpointKey(owner, id),
        UpdateExpression: parts.join(' '),
        ConditionExpression: 'attribute_exists(pk) AND enabled = :before',
        ExpressionAttributeNames: Object.fromEntries(changed.map((member) => [`#${member}`, member])),
        ExpressionAttributeValues: {
          ':before': before.enabled,
          ...Object.fromEntries(set.map((member) => [`:${member}`, next[member]])),
        },
      }
      const result = await write(owner, by, { endpoint: { Update: change } })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async rotate({ owner, id }, { secret, previousUntil }, by) {
      const rotate = {
        TableName,
        Key: endpointKey(owner, id),
        UpdateExpression: 'SET previousSecret = secret, previousUntil = :until, secret = :secret',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':secret': secret, ':until': previousUntil },
      }
      const result = await write(owner, by, { endpoint: { Update: rotate } })
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async delete({ owner, id }: EndpointName, by) {
      const remove = { TableName, Key: endpointKey(owner, id), ConditionExpression: 'attribute_exists(pk)' }
      const result = await write(owner, by, {
        endpoint: { Delete: remove },
        count: countOut(countOf(TableName, owner)),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}

/**
 * Makes the writes: those of an owner while `by` is an owner whose grant is live, with the entry if there is one. Nothing is checked for the
 * operator, nor without `by`.
 */
export function writeForOwner<Name extends string>(
  client: DynamoDBDocumentClient,
  tables: TableNames,
  { owner, by, entry }: { owner: EndpointOwner; by?: Caller; entry?: AuditEntry },
  writes: NamedItems<Name>,
): Promise<TransactResult<string>> {
  const checks = owner === 'operator' || by === undefined ? {} : checkOwnCaller(tables, owner, by)
  const items = { ...writes, ...checks }
  if (entry === undefined) return transactWriteOrConflict<string>(client, items)
  return transactWithEntry<string>(client, tables.auditLog, entry, items)
}

/** Longer than the five days in which an event is tried. */
const KEPT_DAYS = 6

/**
 * Lets the endpoints of an organization expire, with their count; safe to repeat.
 * @param TableName undefined for a function that erases nothing
 * @throws CommonError `service_unavailable`
 */
export async function expireEndpoints(
  client: DynamoDBDocumentClient,
  TableName: string | undefined,
  organizationId: OrganizationId,
  now: number,
): Promise<void> {
  if (TableName === undefined) throw new Error('This function has no table of endpoints')
  const { pk, sk } = endpointCountKey(organizationId)
  const endpoints = await queryPartition(client, TableName, { pk, prefix: ENDPOINT, attributes: ['pk', 'sk'] })
  for (const key of [...endpoints.map((item) => String(item.sk)), sk])
    await updateItem(client, {
      TableName,
      Key: { pk, sk: key },
      UpdateExpression: 'SET expiresAt = :at',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':at': expiryOf(now, KEPT_DAYS) },
    })
}

/** Without the members that are null: they are absent. */
function storedMembers({ id, url, description, eventTypes, enabled, createdAt }: Endpoint) {
  return { id, url, description, ...(eventTypes && { eventTypes }), enabled, createdAt }
}

function countOf(TableName: string, owner: EndpointOwner): Count {
  return { TableName, Key: endpointCountKey(owner), attribute: 'endpoints' }
}
