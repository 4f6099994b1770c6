import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { MAX_ENDPOINTS } from '../../events/endpoints/newEndpoint.ts'
import type { Endpoints, OwnersWrite } from '../../events/endpoints/ports.ts'
import type { Endpoint, EndpointListing, EndpointName, EndpointOwner } from '../../events/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { parseEndpoint } from './endpointItem.ts'
import { ENDPOINT, endpointCountKey, endpointKey, ownerPartition } from './eventKeys.ts'
import { type Count, countIn, countOut } from './kit/countItems.ts'
import { queryPartition, readParsed } from './kit/readItems.ts'
import { hasOnlyFailed, type NamedItems, transactWriteOrConflict } from './kit/transactWrite.ts'
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

/** `Endpoints` on DynamoDB, in the table `events`; owners in `billing`, their grants in `accounts`, changes in `auditLog`. */
export function createEndpoints(
  client: DynamoDBDocumentClient,
  { events: TableName, ...tables }: TableNames & { readonly events: string },
): Endpoints {
  /** Makes the writes: those of an owner with their entry, while the caller is an owner whose grant is live. */
  async function write<Name extends string>(
    owner: EndpointOwner,
    by: OwnersWrite | undefined,
    writes: NamedItems<Name>,
  ) {
    if (owner === 'operator' || by === undefined) return transactWriteOrConflict<string>(client, writes)
    const checks = checkOwnCaller(tables, owner, by.by)
    return transactWithEntry<string>(client, tables.auditLog, by.entry, { ...writes, ...checks })
  }

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

/** Without the members that are null: they are absent. */
function storedMembers({ id, url, description, eventTypes, enabled, createdAt }: Endpoint) {
  return { id, url, description, ...(eventTypes && { eventTypes }), enabled, createdAt }
}

function countOf(TableName: string, owner: EndpointOwner): Count {
  return { TableName, Key: endpointCountKey(owner), attribute: 'endpoints' }
}
