import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import * as z from 'zod'
import { pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { acceptVersion } from '../wire/apiVersions.ts'
import { apiVersion, type Wire } from '../wire/wire.ts'
import { change } from './events.ts'
import { requireRow } from './requireRow.ts'
import { resourceRoutes } from './resourceRoutes.ts'

type Endpoint = Wire<Stripe.WebhookEndpoint>

const createParams = p.paramsFor<Stripe.WebhookEndpointCreateParams>()(
  {
    api_version: p.text().optional(),
    description: p.unsettable(p.text()).optional(),
    enabled_events: z.array(p.text()).min(1),
    metadata: p.metadata().optional(),
    url: p.text(),
  },
  ['connect'],
)
const updateParams = p.paramsFor<Stripe.WebhookEndpointUpdateParams>()({
  description: p.unsettable(p.text()).optional(),
  disabled: p.flag().optional(),
  enabled_events: z.array(p.text()).min(1).optional(),
  metadata: p.metadata().optional(),
  url: p.text().optional(),
})
const listParams = p.paramsFor<Stripe.WebhookEndpointListParams>()(pageShape)

/** What an endpoint is to receive (every event unless named) and how it is signed. `previousSecret` signs too, as during a rotation. */
export interface EndpointTerms {
  url: string
  secret: string
  previousSecret?: string
  enabledEvents?: string[]
  description?: string | null
  /** The API version of its events; the emulator's if none is named. */
  apiVersion?: string
  metadata?: Record<string, string>
}

/** Adds an endpoint. */
export function addEndpoint(context: Context, terms: EndpointTerms): Endpoint {
  const endpoint: Endpoint = {
    id: newId(context, 'webhook_endpoints'),
    object: 'webhook_endpoint',
    api_version: terms.apiVersion ?? apiVersion,
    application: null,
    created: context.now,
    description: terms.description ?? null,
    enabled_events: terms.enabledEvents ?? ['*'],
    livemode: false,
    metadata: terms.metadata ?? {},
    status: 'enabled',
    url: terms.url,
  }
  context.store.put('webhook_endpoints', endpoint)
  context.store.put('endpoint_secrets', {
    id: endpoint.id,
    secret: terms.secret,
    previous: terms.previousSecret ?? null,
  })
  return endpoint
}

/** `Stripe-Signature` of a body at a time, with a `v1` for each secret (https://docs.stripe.com/webhooks#verify-manually). */
export function signatureHeader(body: string, at: number, secrets: string[]): string {
  const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`)
  return [`t=${at}`, ...signatures].join(',')
}

/** Longest time that Stripe keeps the old secret of a rotation valid, in seconds. */
const rollSeconds = 24 * 3600

/**
 * Gives an endpoint a new secret, as "Roll secret" of Stripe's Dashboard does. The old secret signs too until it expires, at most 24 h
 * later (https://docs.stripe.com/webhooks#roll-endpoint-secrets). Returns both.
 */
export function rollSecret(context: Context, id: string, expiresIn: number): { secret: string; expires_at: number } {
  const endpoint = requireRow(context, 'webhook_endpoints', id)
  const before = context.store.get('endpoint_secrets', endpoint.id)
  const secret = `whsec_${randomText(context.random, 32)}`
  const expires_at = context.now + Math.min(expiresIn, rollSeconds)
  context.store.put('endpoint_secrets', {
    id,
    secret,
    previous: before?.secret ?? null,
    previous_expires_at: expires_at,
  })
  return { secret, expires_at }
}

function remove({ store }: Context, { id }: Endpoint): Wire<Stripe.DeletedWebhookEndpoint> {
  store.remove('webhook_endpoints', id)
  for (const delivery of store.all('deliveries')) {
    if (delivery.endpoint === id && !delivery.done)
      store.put('deliveries', { ...delivery, done: true, next_attempt: null })
  }
  return { id, object: 'webhook_endpoint', deleted: true }
}

/** Endpoints of https://docs.stripe.com/api/webhook_endpoints; the secret is returned at creation only. */
export const webhookEndpointRoutes = resourceRoutes('webhook_endpoints', {
  create: {
    params: createParams,
    run(context, { url, enabled_events: enabledEvents, description = null, api_version, metadata: sent }) {
      if (api_version !== undefined) acceptVersion(context, api_version, 'api_version')
      const secret = `whsec_${randomText(context.random, 32)}`
      const terms = { url, secret, enabledEvents, description, metadata: p.mergeMetadata({}, sent) }
      return { ...addEndpoint(context, { ...terms, ...(api_version && { apiVersion: api_version }) }), secret }
    },
  },
  list: { params: listParams },
  update: {
    params: updateParams,
    run(context, endpoint, { disabled, ...sent }) {
      const status = disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }
      return change(context, 'webhook_endpoints', endpoint, { ...p.sentChanges(endpoint, sent), ...status })
    },
  },
  remove,
})
