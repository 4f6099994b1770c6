import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createPassRecords } from '../../../lib/adapters/dynamodb/passStore.ts'
import { createSlotListing } from '../../../lib/adapters/dynamodb/slotStore.ts'
import { readEvent } from '../../../lib/adapters/stripe/readEvent.ts'
import { readSubscription } from '../../../lib/adapters/stripe/readSubscription.ts'
import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { receiveEvent } from '../../../lib/billing/events/projectEvent.ts'
import type { GatewayEvent } from '../../../lib/billing/gateway/gatewayEvent.ts'
import { reconcile } from '../../../lib/billing/reconcile/reconcile.ts'
import { repair } from '../../../lib/billing/reconcile/repair.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { protectedEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { fakeBilling } from '../../billing/fakeBilling.ts'
import { noon, ok, organizationId } from '../../billing/fixtures.ts'
import { stripeSubscription } from '../../billing/openGateway.ts'
import { emptyLists } from '../../billing/reconcile/emptyLists.ts'
import { call, fakeDeps, signedIn } from '../../http/call.ts'
import { createWorld } from '../world/world.ts'
import { callers } from './places.ts'
import { prepare } from './session.ts'

const away = () => Promise.reject(new CommonError('service_unavailable'))
const account = {
  organizationId,
  name: 'Acme',
  createdAt: '2026-11-20T08:00:00Z',
  gateway: 'card' as const,
  customerRev: 0,
  customer: { cipher: 'c', digest: customerDigest('cus_1') },
}
const customerDeleted: GatewayEvent = { kind: 'customer_deleted', created: noon, customerId: 'cus_1', organizationId }

describe('A claim for which nothing was sent', () => {
  // [catch claimLines.releaseClaim]
  it.each([
    ['cannot be read again', '0/records.readTogether#1'],
    ['has no customer', '0/cipher.decrypt#1'],
  ])('waits for its lease to end if it %s and cannot be given back either, and is bought then', async (_, at) => {
    const faults = [
      { at, kind: 'not applied' as const },
      { at: '0/records.commit#2', kind: 'not applied' as const },
    ]
    const world = createWorld(3, { faults }, (await prepare()).beginning)
    const cart = { organizationId, caller: callers[0], productCodes: ['base_ota'], paymentMethodId: undefined }
    const buy = () => world.run((deps) => checkout(deps, { ...cart, couponCode: undefined }))
    const answer = (error: string) => ({ kind: 'answered', value: [expect.objectContaining({ error })] })
    expect(await buy()).toEqual(answer('gateway_unavailable'))
    expect(world.stripe.core.control.state().subscriptions).toEqual([])
    expect(await buy()).toEqual(answer('checkout_in_progress'))
    await world.pass(46_000)
    expect(await buy()).toEqual({ kind: 'answered', value: [expect.objectContaining({ ok: true })] })
    expect(world.stripe.core.control.state().subscriptions).toHaveLength(1)
    world.close()
  })
})

describe('An event that could not be recorded', () => {
  // [catch projectEvent.receiveEvent]
  it('is not acknowledged, and is a line in the log', async () => {
    const deps = fakeBilling({ records: { readAccount: away } })
    const lines: unknown[] = []
    const logger = { ...deps.logger, error: (...entry: unknown[]) => lines.push(entry[0]) }
    expect(await receiveEvent({ ...deps, logger }, customerDeleted)).toBe(false)
    expect(lines).toEqual(['Event not recorded'])
  })

  // [catch reconcileEvents.deliver]
  it('is reported by the reconciliation, which goes on with the rest', async () => {
    const records = { readAccount: async () => account, unbindCustomer: async () => false }
    const deps = {
      ...fakeBilling({ records, gateway: { prices: async () => ok(new Map()) } }),
      ...emptyLists(),
    }
    const listing = { ...deps.listing, listUndeliveredEvents: async () => ok({ rows: [customerDeleted] }) }
    const { state, drift } = await reconcile({ ...deps, listing }, { finishBy: Infinity })
    expect(state).toBe('complete')
    expect(drift).toMatchObject([{ remedy: 'deliver', why: expect.stringContaining('held'), done: false }])
  })
})

describe('A difference that cannot be looked at again', () => {
  // [catch repair.repair]
  it('is reported, and nothing is done about it', async () => {
    const deps = { ...fakeBilling({ records: { readSlot: away } }), dryRun: false, pass: { adoptOnly: false } }
    const drift = await repair(deps, { id: 'sub_1' }, { organizationId, product: 'ota' })
    expect(drift).toMatchObject([{ remedy: 'report', product: 'ota', done: false }])
  })
})

describe('A subscription whose latest invoice is not as expected', () => {
  // [catch readSubscription.subscriptionSchema]
  it.each(['in_1', 7, { id: 'in_1' }])('is read without it: %j', (latest_invoice) => {
    const object = JSON.parse(JSON.stringify({ ...stripeSubscription('sub_1', 1), latest_invoice }))
    const { subscription, openPayment } = readSubscription(object, noon)
    const { id, invoiceId, wasPaid } = subscription
    expect({ id, invoiceId, wasPaid, openPayment }).toEqual({
      id: 'sub_1',
      invoiceId: null,
      wasPaid: false,
      openPayment: null,
    })
  })
})

describe('A JSON body with a key that every object has already', () => {
  // [catch readJsonBody.parseWithAnyKey]
  it('answers 422 json_invalid where half a surrogate pair makes it no JSON', async () => {
    const contract = { body: z.object({ text: z.string() }), responses: { 200: z.object({}) } }
    const handler = protectedEndpoint(contract, fakeDeps().deps, async () => ({ status: 200, body: {} }))
    const headers = { ...signedIn, 'content-type': 'application/json' }
    const body = '{"__proto__":{},"text":"\\ud800"}'
    expect(await call(handler, { headers, body })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid' }] },
    })
  })
})

describe('An event whose metadata is not ours', () => {
  const event = (type: string, object: object) => readEvent({ type, created: noon, data: { object } })

  // [catch readEvent.purchase]
  it.each([undefined, null, {}, { n: 'x' }])(
    'still points at its subscription, and names no purchase: %j',
    (metadata) => {
      const pointer = { kind: 'subscription', subscriptionId: 'sub_1', customerId: 'cus_1', purchase: null }
      const subscription = { id: 'sub_1', customer: 'cus_1', metadata }
      expect(event('customer.subscription.updated', subscription)).toMatchObject(pointer)
    },
  )

  // [catch readEvent.organizationId]
  it.each([undefined, null, {}, { organization_id: 1 }])(
    'still names its customer, and no organization: %j',
    (metadata) => {
      const pointer = { kind: 'customer_deleted', customerId: 'cus_1', organizationId: null }
      expect(event('customer.deleted', { id: 'cus_1', metadata })).toMatchObject(pointer)
    },
  )

  // [catch readEvent.userId]
  it.each([undefined, null, {}, { user_id: 'nobody' }])('still names the card, and no user: %j', (metadata) => {
    const pointer = { kind: 'card_set_up', paymentMethodId: 'pm_1', organizationId: null, by: null }
    expect(event('setup_intent.succeeded', { customer: 'cus_1', payment_method: 'pm_1', metadata })).toMatchObject(
      pointer,
    )
  })
})

describe('An event of an invoice that has no id, or the event none', () => {
  const read = (ids: { event: unknown; invoice: unknown }) => {
    const parent = { subscription_details: { subscription: 'sub_1', metadata: {} } }
    const object = { id: ids.invoice, customer: 'cus_1', parent }
    return readEvent({ id: ids.event, type: 'invoice.paid', created: noon, data: { object } })
  }

  // [catch readEvent.announcedId]
  it.each([
    { event: {}, invoice: 'in_1' },
    { event: 'evt_1', invoice: 7 },
    { event: undefined, invoice: null },
  ])('still points at its subscription, and at no invoice to announce: %j', (ids) => {
    const pointer = read(ids)
    expect(pointer).toMatchObject({ kind: 'subscription', subscriptionId: 'sub_1' })
    expect(pointer).not.toHaveProperty('invoice')
    expect(read({ event: 'evt_1', invoice: 'in_1' })).toMatchObject({ invoice: { id: 'in_1', eventId: 'evt_1' } })
  })
})

describe('The lists of slots', () => {
  // [catch readItems.allItems]
  it('fail where the store is away', async () => {
    const client = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'us-east-1' })
    const listing = createSlotListing(client, 'billing')
    const unavailable = expect.objectContaining({ code: 'service_unavailable' })
    await expect(listing.listPending()).rejects.toEqual(unavailable)
    await expect(createPassRecords(client, 'billing').listHeld('pass_1')).rejects.toEqual(unavailable)
    client.destroy()
  })
})
