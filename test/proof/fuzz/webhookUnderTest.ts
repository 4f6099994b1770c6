import { contract } from '../../../functions/stripe-webhook/contract.ts'
import { createWebhookVerifier } from '../../../lib/adapters/stripe/webhookVerifier.ts'
import { type Product, products } from '../../../lib/billing/catalog.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { BillingError } from '../../../lib/billing/errors.ts'
import { receiveEvent } from '../../../lib/billing/events/projectEvent.ts'
import { organizationOf } from '../../../lib/billing/gateway/gatewayEvent.ts'
import { emptySlot } from '../../../lib/billing/slot/slot.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { refusal } from '../../../lib/http/answer/errorBody.ts'
import { rawEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { forOrganization } from '../../../lib/http/endpoint/requestScope.ts'
import { bodyBytes, header } from '../../../lib/http/request/request.ts'
import { fakeBilling } from '../../billing/fakeBilling.ts'
import { liveSlot, noon, organizationId, subscription } from '../../billing/fixtures.ts'
import { secrets } from './webhookCases.ts'

/**
 * The webhook's handler as `functions/stripe-webhook/handler.ts` puts it together, over a store and a gateway that count
 * their calls. The gateway always answers; the store may be unavailable.
 */
export function createWebhookUnderTest() {
  const seen = { calls: 0, storeUnavailable: false }
  const account = (id: typeof organizationId) => ({
    organizationId: id,
    name: 'Acme',
    createdAt: '2026-11-20T08:00:00Z',
    gateway: 'card' as const,
    customerRev: 0,
    customer: { cipher: 'c', digest: customerDigest('cus_1') },
  })
  const slotOf = (id: typeof organizationId, product: Product) =>
    id === organizationId && product === 'ota' ? liveSlot() : emptySlot(id, product)
  async function stored<Value>(value: Value): Promise<Value> {
    seen.calls += 1
    if (seen.storeUnavailable) throw new CommonError('service_unavailable')
    return value
  }
  async function answered<Value>(value: Value) {
    seen.calls += 1
    return { kind: 'ok' as const, value, replayed: false }
  }
  const deps = fakeBilling({
    records: {
      readSlot: (id, product) => stored({ account: account(id), slot: slotOf(id, product) }),
      readSlots: (id) => stored({ account: account(id), slots: products.map((product) => slotOf(id, product)) }),
      findOrganizations: () => stored([]),
      readAccount: (id) => stored(account(organizationIdSchema.parse(id))),
      commit: () => stored(null),
      unbindCustomer: () => stored(true),
      recordAccountChange: () => stored(undefined),
      announce: () => stored(undefined),
    },
    gateway: {
      fetchSubscription: (id) => answered(subscription({ id, coveredUntil: noon })),
      cancelNow: (id) => answered(subscription({ id, status: 'canceled', endedAt: noon })),
      listPaidInvoices: () => answered([]),
      fetchInvoice: () => answered(null),
      countPurchases: () => answered(1),
      refundSubscription: () => answered(0),
      fetchDefaultCard: () => answered({ id: null }),
      setDefaultCard: (_, id) => answered({ id }),
      listPaidCards: () => answered([]),
    },
  })
  const verifier = createWebhookVerifier(secrets, deps.clock)
  const handler = rawEndpoint(contract, deps, async (event) => {
    const payload = bodyBytes(event, 'event_too_large')
    const verified = verifier.verify(payload, header(event, 'stripe-signature'))
    if (!verified) throw new BillingError('invalid_signature')
    return (await forOrganization(organizationOf(verified), () => receiveEvent(deps, verified)))
      ? { status: 200, body: { received: true } }
      : refusal('event_not_recorded', event)
  })
  return { handler, seen }
}
