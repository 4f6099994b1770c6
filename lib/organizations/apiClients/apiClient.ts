import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { apiClientIdOf } from '../../core/ids.ts'
import { resourceScopes } from '../../core/scopes.ts'
import { described, named } from '../../http/schema.ts'
import type { ApiClient } from '../ports.ts'

/** The most API clients that an organization may have. */
export const MAX_API_CLIENTS = 20

const HOUR = 60 * 60 * 1000

/** How long the previous secret stays valid after a rotation, in milliseconds. */
export const secretOverlaps = { '1h': HOUR, '24h': 24 * HOUR } as const

export const expiryOfPreviousSchema = z.enum(['now', '1h', '24h'])
export type ExpiryOfPrevious = z.infer<typeof expiryOfPreviousSchema>

export const resourceScopeSchema = z.enum(resourceScopes)

/** An API client in the API, without its secret. */
export const apiClientResource = named(
  'ApiClient',
  z.strictObject({
    id: described('The API client’s id in paths', z.uuid()),
    client_id: described('Its `client_id` for tokens', z.string()),
    name: described('The name that its owners gave it', z.string()),
    scopes: described('What it may do', z.array(resourceScopeSchema)),
    created_at: described('When it was created', z.iso.datetime()),
    last_used_at: described(
      'When it last got a token, to the hour; null if it never did',
      z.nullable(z.iso.datetime()),
    ),
    previous_secret_valid_until: described(
      'Until when the secret from before the last rotation works; null if it does not',
      z.nullable(z.iso.datetime()),
    ),
  }),
)

/** An API client with a new secret, which no other answer contains; null if the request is repeated with its `Idempotency-Key`. */
export const apiClientWithSecret = named(
  'ApiClientWithSecret',
  z.extend(apiClientResource, {
    client_secret: described(
      'The secret, shown this once; null if the request is repeated with its `Idempotency-Key`',
      z.nullable(z.string()),
    ),
  }),
)

/** Maps an API client to the API's object. `now` is Unix milliseconds. */
export function toApiClientResource(client: ApiClient, now: number): z.infer<typeof apiClientResource> {
  const { organizationId, id, name, scopes, createdAt, lastUsedAt, previousSecretUntil = 0 } = client
  return {
    id,
    client_id: apiClientIdOf(organizationId, id),
    name,
    scopes: [...scopes],
    created_at: toRfc3339(createdAt),
    last_used_at: lastUsedAt === undefined ? null : toRfc3339(lastUsedAt),
    previous_secret_valid_until: now < previousSecretUntil ? toRfc3339(previousSecretUntil) : null,
  }
}
