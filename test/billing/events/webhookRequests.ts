import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import type { BillingStack } from '../../support/billingStack.ts'

/** `Stripe-Signature` of a payload, as Stripe's own SDK makes it for tests. `timestamp` is Unix seconds. */
export function signatureOf(payload: string, options: { secret: string; timestamp: number }): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, ...options })
}

/** A signature at the emulator's time, with the current secret. */
export async function signed(stack: BillingStack, payload: string): Promise<string> {
  const timestamp = await stack.emulator.now()
  return signatureOf(payload, { secret: stack.client.info.stripe.webhook_secret, timestamp })
}

/** The answer to a webhook; `body` is its parsed JSON. */
export interface WebhookAnswer {
  status: number
  body: unknown
}

/** Sends a payload to the webhook's URL over the wire; several signatures travel as several header lines. */
export async function postWebhook(
  stack: BillingStack,
  payload: string | Uint8Array,
  signatures: readonly string[],
  contentType = 'application/json; charset=utf-8',
): Promise<WebhookAnswer> {
  const bytes = Buffer.from(payload)
  const outgoing = request(stack.client.info.webhook_url, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'content-length': bytes.length,
      ...(signatures.length > 0 && { 'stripe-signature': [...signatures] }),
    },
    agent: false,
  })
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(body) }), reject)
    })
    outgoing.end(bytes)
  })
}

/** Delivers one event as Stripe does, signed now. Returns the status of the answer. */
export async function deliver(stack: BillingStack, event: Stripe.Event): Promise<number> {
  const payload = JSON.stringify(event, null, 2)
  return (await postWebhook(stack, payload, [await signed(stack, payload)])).status
}

/** The latest event of a type about an object. Throws where the gateway has none. */
export async function latestEvent(stack: BillingStack, type: string, objectId: string): Promise<Stripe.Event> {
  const { data } = await stack.stripe.events.list({ type, limit: 100 })
  const event = data.find(({ data: { object } }) => 'id' in object && object.id === objectId)
  if (!event) throw new Error(`No ${type} about ${objectId}`)
  return event
}
