import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { EventPointer, SubscriptionEventType } from '../../../lib/billing/gateway/gatewayEvent.ts'
import type { Events } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { purchaseReferenceSchema } from '../../../lib/billing/gateway/subscription.ts'
import type { FakeBooks, FakeNotice } from './fakeBooks.ts'

/** Seconds by which a signature's time may differ, in either direction. */
const TOLERANCE = 300

const noticeSchema = z.object({
  about: z.enum(['sold', 'changed', 'ended', 'customer gone']),
  at: z.number(),
  sale: z.nullable(z.string()),
  customer: z.string(),
  reference: z.nullable(purchaseReferenceSchema),
})

/** Billing's word for what happened to a sale. */
const types = {
  sold: 'customer.subscription.created',
  changed: 'customer.subscription.updated',
  ended: 'customer.subscription.deleted',
} as const satisfies Record<string, SubscriptionEventType>

/** How the fake gateway sends its notices, and how they are recognized: `<unix seconds>/<HMAC of it and the payload>`. */
export function createFakeEvents(books: FakeBooks) {
  const digest = (payload: Uint8Array, secret: string, at: number) =>
    createHmac('sha256', secret).update(`${at}/`).update(payload).digest('hex')
  return {
    payloadOf: (notice: FakeNotice): Uint8Array => Buffer.from(JSON.stringify(notice)),
    sign: (payload: Uint8Array, secret: string, at: number) => `${at}/${digest(payload, secret, at)}`,
    verifier: (secrets: readonly string[]): Events => ({
      verify(payload, signature = '') {
        const [time = '', given] = signature.split('/')
        const at = Number(time)
        const known = secrets.some((secret) => digest(payload, secret, at) === given)
        if (!known || !(Math.abs(books.clock.now() / 1000 - at) <= TOLERANCE)) return null
        const notice = noticeSchema.parse(JSON.parse(Buffer.from(payload).toString('utf8')))
        return { ...pointerOf(notice), created: notice.at }
      },
    }),
  }
}

function pointerOf({ about, sale, customer, reference }: FakeNotice): EventPointer {
  if (about === 'customer gone') return { kind: 'customer_deleted', customerId: customer, organizationId: null }
  if (sale === null) return { kind: 'other', type: about }
  return { kind: 'subscription', type: types[about], subscriptionId: sale, customerId: customer, purchase: reference }
}
