import { isDeepStrictEqual } from 'node:util'
import Stripe from 'stripe'
import { gatewayEventTypes } from '../../lib/billing/gateway/gatewayEvent.ts'
import type { SetupStep } from './setupStep.ts'

const apiVersion = Stripe.API_VERSION

/** The step, and the signing secret if it created the endpoint. */
interface WebhookSetup {
  step: SetupStep
  secret: string | undefined
}

/**
 * Registers the service's webhook endpoint for the events it projects, in the API version it reads. If the URL has an endpoint already,
 * corrects its events; Stripe does not let its version change.
 */
export async function setUpWebhook(stripe: Stripe, url: string): Promise<WebhookSetup> {
  const enabled_events = [...gatewayEventTypes]
  const what = `webhook endpoint ${url}`
  const known = await endpointOf(stripe, url)
  if (known === undefined) {
    const { secret } = await stripe.webhookEndpoints.create({ url, enabled_events, api_version: apiVersion })
    return { step: { done: 'made', what }, secret }
  }
  if (known.api_version !== apiVersion) {
    const version = known.api_version ?? "the account's version"
    const advice = `it sends events of ${version}, not ${apiVersion}: delete it at Stripe and run this again`
    return { step: { done: 'differs', what: `${what}: ${advice}` }, secret: undefined }
  }
  const complete = isSame(known.enabled_events, enabled_events) || known.enabled_events.includes('*')
  if (complete && known.status === 'enabled') return { step: { done: 'kept', what }, secret: undefined }
  await stripe.webhookEndpoints.update(known.id, { disabled: false, ...(!complete && { enabled_events }) })
  return { step: { done: 'changed', what }, secret: undefined }
}

async function endpointOf(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint | undefined> {
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) if (endpoint.url === url) return endpoint
  return undefined
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return isDeepStrictEqual([...some].sort(), [...others].sort())
}
