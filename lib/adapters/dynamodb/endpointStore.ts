import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EndpointListing } from '../../events/ports.ts'
import { parseEndpoint } from './endpointItem.ts'
import { ENDPOINT, ownerPartition } from './eventKeys.ts'
import { queryPartition } from './kit/readItems.ts'

/** `EndpointListing` on DynamoDB, in the table `events`. */
export function createEndpointListing(client: DynamoDBDocumentClient, table: string): EndpointListing {
  return {
    async list(owner) {
      const items = await queryPartition(client, table, { pk: ownerPartition(owner), prefix: ENDPOINT })
      return items.map(parseEndpoint)
    },
  }
}
