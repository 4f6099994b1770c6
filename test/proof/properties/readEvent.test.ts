import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as z from 'zod'
import { readEvent } from '../../../lib/adapters/stripe/readEvent.ts'
import { noon, organizationId, userId } from '../../billing/fixtures.ts'
import { checkProperty } from './checkProperty.ts'
import { json, nearly } from './jsonValues.ts'

const metadata = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: '1', user_id: userId }
const subscription = { id: 'sub_1', customer: 'cus_1', metadata }
const invoice = {
  customer: { id: 'cus_1' },
  parent: { subscription_details: { subscription: 'sub_1', metadata } },
}
const events = [
  ['customer.subscription.updated', subscription],
  ['customer.subscription.deleted', subscription],
  ['invoice.paid', invoice],
  ['setup_intent.succeeded', { customer: 'cus_1', payment_method: 'pm_1', metadata }],
  ['customer.deleted', { id: 'cus_1', metadata }],
  ['payment_method.detached', { id: 'pm_1' }],
] as const

/** What everything behind `readEvent` relies on. */
const pointer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('subscription'),
    type: z.string(),
    created: z.number(),
    subscriptionId: z.string(),
    customerId: z.string(),
    purchase: z.looseObject({ organization_id: z.guid(), plan_code: z.string(), n: z.int().positive() }).nullable(),
    isFirstInvoice: z.literal(true).optional(),
  }),
  z.strictObject({
    kind: z.literal('card_set_up'),
    created: z.number(),
    customerId: z.string(),
    paymentMethodId: z.string(),
    organizationId: z.string().nullable(),
    by: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('card_removed'), created: z.number() }),
  z.strictObject({
    kind: z.literal('customer_deleted'),
    created: z.number(),
    customerId: z.string(),
    organizationId: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('other'), type: z.string(), created: z.number() }),
])

const envelope = ([type, object]: readonly [string, unknown]) => ({ type, created: noon, data: { object } })
const anEvent = fc.constantFrom(...events)

describe('Reading an event', () => {
  it('makes a pointer of every envelope, whatever its object holds', () => {
    const anyObject = anEvent.chain(([type, object]) => {
      const other = fc.oneof(nearly(object), json).filter((value) => z.looseObject({}).safeParse(value).success)
      return other.map((changed) => envelope([type, changed]))
    })
    checkProperty(fc.property(anyObject, (payload) => expect(pointer.parse(readEvent(payload))).toBeDefined()))
  })

  it('leaves every type alone that it does not know', () => {
    const types = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString', 'invoice.Paid'))
    checkProperty(
      fc.property(types, (type) => {
        fc.pre(!events.some(([known]) => known === type))
        expect(readEvent(envelope([type, subscription]))).toEqual({ kind: 'other', type, created: noon })
      }),
    )
  })

  it('makes a pointer of whatever else JSON carries, or says that it is no event', () => {
    const payloads = anEvent.chain((event) => fc.oneof(nearly(envelope(event)), json))
    checkProperty(
      fc.property(payloads, (payload) => {
        try {
          pointer.parse(readEvent(payload))
        } catch (error) {
          expect(error).toBeInstanceOf(z.core.$ZodError)
          expect(
            z
              .object({ type: z.string(), created: z.number(), data: z.object({ object: z.looseObject({}) }) })
              .safeParse(payload).success,
          ).toBe(false)
        }
      }),
    )
  })
})
