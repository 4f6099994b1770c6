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
  event_types: described(
    'The types of events that it hears; null for all',
    z.nullable(boundedList(eventTypeSchema, { min: 1, max: 50 })),
  ),
  description: described('A note for people', boundedString({ max: 200 })),
}

/** An endpoint in the API, without its secret. */
export const endpointResource = named(
  'WebhookEndpoint',
  z.strictObject({
    id: described('The endpoint’s id in paths', z.uuid()),
    url: described('Where events are sent', z.string()),
    description: described('A note for people; may be empty', z.string()),
    event_types: described(
      'The types of events that it hears; null for all',
      z.nullable(z.array(documented({ 'x-extensible-enum': eventTypes }, z.string()))),
    ),
    enabled: described('Whether events are sent to it', z.boolean()),
    disabled_reason: described(
      '`gone`: it answered 410. `failing`: five days went by with failures and no success. Else null',
      z.nullable(documented({ 'x-extensible-enum': ['gone', 'failing'] }, z.string())),
    ),
    created_at: described('When it was created', z.iso.datetime()),
  }),
)

/** A secret, which only the answer that makes it contains. */
export const endpointSecret = described(
  'Verifies signatures (Standard Webhooks): `whsec_` and 32 bytes in base64',
  z.string(),
)

/** An endpoint with its secret, which no other answer contains; null if the request is repeated with its `Idempotency-Key`. */
export const endpointWithSecret = named(
  'WebhookEndpointWithSecret',
  z.extend(endpointResource, {
    secret: described('As in a rotation; null in a repetition', z.nullable(endpointSecret)),
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
