import * as z from 'zod/mini'
import type { ServedEndpoint } from '../../events/delivery/ports.ts'
import { eventTypeSchema } from '../../events/eventTypes.ts'
import type { Endpoint, EndpointOwner } from '../../events/ports.ts'
import { organizationOfPartition } from './eventKeys.ts'
import type { Item } from './kit/readItems.ts'

/** The owner of an endpoint, as the partition in which the endpoint is. */
export const ownerText = z.pipe(
  z.string(),
  z.transform((text): EndpointOwner => (text === 'OPERATOR' ? 'operator' : organizationOfPartition(text))),
)

const endpointItem = z.object({
  pk: ownerText,
  id: z.uuid(),
  url: z.string(),
  description: z._default(z.string(), ''),
  eventTypes: z._default(z.nullable(z.array(eventTypeSchema)), null),
  enabled: z.boolean(),
  disabledReason: z._default(z.nullable(z.enum(['gone', 'failing'])), null),
  createdAt: z.int(),
  secret: z.string(),
  previousSecret: z.exactOptional(z.string()),
  previousUntil: z.exactOptional(z.int()),
  failingSince: z.exactOptional(z.int()),
  slowUntil: z.exactOptional(z.int()),
})

/** An endpoint as it is stored, with what delivery knows of it. */
export function parseServedEndpoint(item: Item): ServedEndpoint {
  const { pk: owner, previousSecret, previousUntil, ...kept } = endpointItem.parse(item)
  if (previousSecret === undefined || previousUntil === undefined) return { owner, ...kept }
  return { owner, ...kept, previous: { secret: previousSecret, until: previousUntil } }
}

/** An endpoint without its secrets. */
export function parseEndpoint(item: Item): Endpoint {
  const { owner, id, url, description, eventTypes, enabled, disabledReason, createdAt } = parseServedEndpoint(item)
  return { owner, id, url, description, eventTypes, enabled, disabledReason, createdAt }
}
