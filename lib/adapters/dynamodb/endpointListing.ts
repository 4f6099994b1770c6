import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { eventTypeSchema } from '../../events/eventTypes.ts'
import type { EndpointListing } from '../../events/ports.ts'
import { ENDPOINT, ownerPartition } from './eventKeys.ts'
import { queryPartition } from './kit/readItems.ts'

const endpointItem = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  eventTypes: z._default(z.nullable(z.array(eventTypeSchema)), null),
  enabled: z.boolean(),
  disabledReason: z._default(z.nullable(z.enum(['failing', 'gone'])), null),
  createdAt: z.int(),
})

/** `EndpointListing` on DynamoDB, in the table `events`. */
export function createEndpointListing(client: DynamoDBDocumentClient, table: string): EndpointListing {
  return {
    async list(owner) {
      const items = await queryPartition(client, table, { pk: ownerPartition(owner), prefix: ENDPOINT })
      return items.map((item) => ({ owner, ...endpointItem.parse(item) }))
    },
  }
}
