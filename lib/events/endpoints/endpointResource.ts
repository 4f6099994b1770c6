import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import {
  boundedList,
  boundedString,
  described,
  documented,
  named,
  organizationId,
  pydanticUuid,
} from '../../http/schema.ts'
import { eventTypeSchema, eventTypes } from '../eventTypes.ts'
import type { Endpoint } from '../ports.ts'

/** The path of an endpoint. */
export const endpointPath = z.object({
  organization_id: organizationId(),
  endpoint_id: described('The `id` of a webhook endpoint', pydanticUuid()),
})

/** The members of an endpoint that its owner chooses. Types that are listed twice count once; without a list it hears every type. */
export const endpointMembers = {
  url: documented(
    { format: 'uri', description: 'Where to send events: `https` and a public address' },
    boundedString({ min: 1, max: 2000 }),
  ),
  event_types: documented(
    { description: 'The types of events that it hears; null for all' },
    z.nullable(boundedList(eventTypeSchema, { min: 1, max: 50 })),
  ),
  description: documented({ description: 'A note for people' }, boundedString({ max: 200 })),
}

/** An endpoint in the API, without its secret. */
export const endpointResource = named(
  'WebhookEndpoint',
  z.strictObject({
    id: documented({ description: 'The endpoint’s id in paths' }, z.uuid()),
    url: documented({ description: 'Where events are sent' }, z.string()),
    description: documented({ description: 'A note for people; may be empty' }, z.string()),
    event_types: documented(
      { description: 'The types of events that it hears; null for all' },
      z.nullable(z.array(documented({ 'x-extensible-enum': eventTypes }, z.string()))),
    ),
    enabled: documented({ description: 'Whether events are sent to it' }, z.boolean()),
    disabled_reason: documented(
      {
        description: '`gone`: it answered 410. `failing`: five days went by with failures and no success. Else null',
      },
      z.nullable(documented({ 'x-extensible-enum': ['gone', 'failing'] }, z.string())),
    ),
    created_at: documented({ description: 'When it was created' }, z.iso.datetime()),
  }),
)

/** An endpoint with its secret, which no other answer contains; null if the request is repeated with its `Idempotency-Key`. */
export const endpointWithSecret = named(
  'WebhookEndpointWithSecret',
  z.extend(endpointResource, {
    secret: documented(
      { description: 'Verifies signatures (Standard Webhooks): `whsec_` and 32 bytes in base64. Null in a repetition' },
      z.nullable(z.string()),
    ),
  }),
)

/** Maps an endpoint to the API's object. */
export function toEndpointResource(endpoint: Endpoint): z.infer<typeof endpointResource> {
  const { id, url, description, eventTypes: types, enabled, disabledReason, createdAt } = endpoint
  return {
    id,
    url,
    description,
    event_types: types && [...types],
    enabled,
    disabled_reason: disabledReason,
    created_at: toRfc3339(createdAt),
  }
}
