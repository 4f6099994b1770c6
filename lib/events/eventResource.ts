import * as z from 'zod/mini'
import { described, documented, named } from '../http/schema.ts'
import type { StoredEvent } from './event.ts'
import { factTypes } from './eventTypes.ts'

/** An event in the API, as it is sent. */
export const eventResource = named(
  'Event',
  z.strictObject({
    id: described('The event’s id, which is the header `webhook-id`', z.string()),
    type: documented({ description: 'What happened', 'x-extensible-enum': factTypes }, z.string()),
    timestamp: described('When it happened', z.iso.datetime()),
    organization_id: described('Whose event it is', z.uuid()),
    sequence: described('Counts the organization’s events from 1, without a gap', z.int()),
    data: described(
      'The resource after the event, as its GET answers it to an owner. For what is gone, what identified it',
      z.record(z.string(), z.unknown()),
    ),
  }),
)

/** Maps an event to the API's object: its body, as it was sent. */
export function toEventResource({ body }: StoredEvent): z.infer<typeof eventResource> {
  return eventResource.parse(JSON.parse(body))
}
