import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { catalogProducts } from '../../data/catalog.ts'
import type { LambdaEvent } from '../../local/invokeFunction.ts'
import type { LocalClient } from '../../local/localClient.ts'
import { fillSampleEvent, sampleEvent } from '../../local/samples/sampleEvent.ts'
import type { FunctionName } from '../../manifest.ts'

/** An operation to measure: a function and its events. */
export interface WarmOperation {
  readonly functionName: FunctionName
  readonly status: number
  /** Prepares the stack, and returns a maker of events. Among any 64 consecutive events, no two have the same organization or code. */
  readonly open: (client: LocalClient) => Promise<(count: number) => Promise<unknown[]>>
}

/** As many organizations as calls in flight at most, so that no call waits for the lock of another. */
const ORGANIZATIONS = 64

const sample = z.looseObject({ headers: z.record(z.string(), z.string()) })

/** Every operation by the name that `--operation` takes. */
export const warmOperations: Readonly<Record<string, WarmOperation>> = {
  webhook: {
    functionName: 'stripe-webhook',
    status: 200,
    async open(client) {
      const organizations = await subscribedOrganizations(client, ORGANIZATIONS)
      const event = sample.parse(sampleEvent('stripe-webhook', 'invoice-paid'))
      const subscriptions = await client.stripe.subscriptions.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
      const ours = subscriptions.filter(({ metadata }) => organizations.includes(metadata.organization_id ?? ''))
      return async (count) => {
        // Newer than the last projection, so that the function fetches and writes the latest state.
        const created = Math.floor(Date.now() / 1000)
        const payloads = ours.map((object) => changedEvent(object, created))
        return Array.from({ length: count }, (_, at) => {
          const body = payloads[at % payloads.length] ?? ''
          const signature = client.stripe.webhooks.generateTestHeaderString({
            payload: body,
            secret: client.info.stripe.webhook_secret,
          })
          return { ...event, headers: { ...event.headers, 'stripe-signature': signature }, body }
        })
      }
    },
  },
  checkout: {
    functionName: 'billing-checkout',
    status: 201,
    async open(client) {
      return async (count) => {
        const organizations = await inTurns(
          Math.min(count, Math.max(ORGANIZATIONS, Math.ceil(count / plans.length))),
          () => organizationWithCard(client),
        )
        const event = sample.parse((await fillSampleEvent(client, 'billing-checkout', 'billing-admin')).event)
        const token = `Bearer ${await client.accessToken('owner')}`
        return plans
          .flatMap((plan) => organizations.map((organization) => ({ plan, ...organization })))
          .slice(0, count)
          .map(({ plan, organizationId, card }) => ({
            ...ofOrganization(event, organizationId, token),
            body: JSON.stringify({ product_codes: [plan], payment_method_id: card }),
          }))
      }
    },
  },
  entitlements: {
    functionName: 'billing-entitlements',
    status: 200,
    async open(client) {
      const [organizationId = ''] = await subscribedOrganizations(client, 1)
      const event = sample.parse((await fillSampleEvent(client, 'billing-entitlements', 'member')).event)
      return async (count) => {
        const token = `Bearer ${await client.accessToken('owner')}`
        return Array<unknown>(count).fill(ofOrganization(event, organizationId, token))
      }
    },
  },
  token: {
    functionName: 'oauth-token',
    status: 200,
    async open(client) {
      const fill = async (): Promise<LambdaEvent> =>
        (await fillSampleEvent(client, 'oauth-token', 'authorization-code')).event
      return (count) => inTurns(count, fill)
    },
  },
}

/** The event as a request about the organization. */
function ofOrganization(event: z.output<typeof sample>, organizationId: string, token: string) {
  return {
    ...event,
    headers: { ...event.headers, authorization: token },
    rawQueryString: `organization_id=${organizationId}`,
    queryStringParameters: { organization_id: organizationId },
  }
}

const plans = catalogProducts.map(({ planCode }) => planCode)

async function organizationWithCard(client: LocalClient): Promise<{ organizationId: string; card: string }> {
  const organizationId = await client.newOrganization()
  const token = await client.accessToken('owner')
  return { organizationId, card: await client.addCard({ token, organizationId, testCard: 'pm_card_visa' }) }
}

function subscribedOrganizations(client: LocalClient, count: number): Promise<string[]> {
  return inTurns(count, async () => {
    const { organizationId, card } = await organizationWithCard(client)
    const { status } = await client.send({
      method: 'POST',
      path: `/api/billing/checkout?organization_id=${organizationId}`,
      token: await client.accessToken('owner'),
      body: { product_codes: plans.slice(0, 1), payment_method_id: card },
    })
    if (status !== 201) throw new Error(`checkout answered ${status}`)
    return organizationId
  })
}

/** As Stripe sends it, the whole subscription included. */
function changedEvent(object: object, created: number): string {
  return JSON.stringify(
    {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created,
      data: { object, previous_attributes: { cancel_at_period_end: true } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: 'customer.subscription.updated',
    },
    null,
    2,
  )
}

/** Makes `count` values, four at a time. */
async function inTurns<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  const left = Array.from({ length: count }).values()
  const lane = async () => {
    for (const _ of left) values.push(await make())
  }
  await Promise.all(Array.from({ length: 4 }, lane))
  return values
}
