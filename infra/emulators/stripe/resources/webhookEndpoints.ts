import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import { page, pageShape } from '../params/pagination.ts'
import { flag, mergeMetadata, metadata, type ParsedBy, paramsFor, text, unsettable } from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { isCovered } from '../wire/apiVersions.ts'
import { notCovered, resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import { apiVersion, type Wire } from '../wire/wire.ts'
import { change } from './events.ts'

type Endpoint = Wire<Stripe.WebhookEndpoint>

/** Events of another release have other shapes: 501. */
const eventVersion = z.string().transform((version) => {
  if (isCovered(version)) return version
  throw notCovered(`events of API version ${version}`)
})

const createParams = paramsFor<Stripe.WebhookEndpointCreateParams>()(
  {
    api_version: eventVersion.optional(),
    description: unsettable(text()).optional(),
    enabled_events: z.array(text()).min(1),
    metadata: metadata().optional(),
    url: text(),
  },
  ['connect'],
)
const updateParams = paramsFor<Stripe.WebhookEndpointUpdateParams>()({
  description: unsettable(text()).optional(),
  disabled: flag().optional(),
  enabled_events: z.array(text()).min(1).optional(),
  metadata: metadata().optional(),
  url: text().optional(),
})
const listParams = paramsFor<Stripe.WebhookEndpointListParams>()(pageShape)
const noParams = paramsFor<Stripe.WebhookEndpointRetrieveParams>()({})

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

function requireEndpoint(context: Context, id: string): Endpoint {
  const endpoint = context.store.get('webhook_endpoints', id)
  if (endpoint === undefined) throw resourceMissing('webhook endpoint', id, 'id')
  return endpoint
}

/** Longest time that Stripe keeps the old secret of a rotation valid, in seconds. */
const rollSeconds = 24 * 3600

/**
 * Gives an endpoint a new secret, as "Roll secret" of Stripe's Dashboard does. The old secret signs too until it expires, at most 24 h
 * later (https://docs.stripe.com/webhooks#roll-endpoint-secrets). Returns both.
 */
export function rollSecret(context: Context, id: string, expiresIn: number): { secret: string; expires_at: number } {
  const endpoint = requireEndpoint(context, id)
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

function update(context: Context, sent: ParsedBy<typeof updateParams>, id: string): Endpoint {
  const endpoint = requireEndpoint(context, id)
  const patch = {
    ...(sent.description !== undefined && { description: sent.description }),
    ...(sent.disabled !== undefined && { status: sent.disabled ? 'disabled' : 'enabled' }),
    ...(sent.enabled_events !== undefined && { enabled_events: sent.enabled_events }),
    ...(sent.url !== undefined && { url: sent.url }),
    metadata: mergeMetadata(endpoint.metadata, sent.metadata),
  }
  return change(context, 'webhook_endpoints', endpoint, patch)
}

/** Endpoints of https://docs.stripe.com/api/webhook_endpoints; the secret is returned at creation only. */
export const webhookEndpointRoutes = [
  route('POST', '/v1/webhook_endpoints', createParams, (context, sent) => {
    const secret = `whsec_${randomText(context.random, 32)}`
    const description = sent.description ?? null
    const terms = {
      url: sent.url,
      secret,
      enabledEvents: sent.enabled_events,
      description,
      ...(sent.api_version !== undefined && { apiVersion: sent.api_version }),
      metadata: mergeMetadata({}, sent.metadata),
    }
    return { ...addEndpoint(context, terms), secret }
  }),
  route('GET', '/v1/webhook_endpoints', listParams, ({ store }, sent) =>
    page(store.all('webhook_endpoints'), sent, '/v1/webhook_endpoints'),
  ),
  route('GET', '/v1/webhook_endpoints/:id', noParams, (context, _sent, id) => requireEndpoint(context, id)),
  route('POST', '/v1/webhook_endpoints/:id', updateParams, update),
  route('DELETE', '/v1/webhook_endpoints/:id', noParams, (context, _sent, id): Wire<Stripe.DeletedWebhookEndpoint> => {
    requireEndpoint(context, id)
    context.store.remove('webhook_endpoints', id)
    for (const delivery of context.store.all('deliveries')) {
      if (delivery.endpoint === id && !delivery.done)
        context.store.put('deliveries', { ...delivery, done: true, next_attempt: null })
    }
    return { id, object: 'webhook_endpoint', deleted: true }
  }),
]
