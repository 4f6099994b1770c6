import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as z from 'zod'
import { readSubscription } from '../../../lib/adapters/stripe/readSubscription.ts'
import { isEnded, isLive } from '../../../lib/billing/gateway/subscription.ts'
import { projected } from '../../../lib/billing/slot/slotChange.ts'
import { noon, slot } from '../../billing/fixtures.ts'
import { stripeSubscription } from '../../billing/openGateway.ts'
import { checkProperty } from './checkProperty.ts'
import { json, nearly } from './jsonValues.ts'

const latest_invoice = {
  id: 'in_1',
  status: 'paid',
  payments: { data: [{ payment: { payment_intent: 'pi_1' }, is_default: true }] },
}
const valid = { ...stripeSubscription('sub_1', 1), latest_invoice }

/** As the SDK hands it over: parsed JSON that was not checked yet. */
const read = (object: unknown) => readSubscription(JSON.parse(JSON.stringify(object ?? null)), noon)

describe('Reading a subscription', () => {
  it('gives one that a slot can hold, or throws a ZodError, which counts as unknown', () => {
    checkProperty(
      fc.property(fc.oneof(nearly(valid), json), (object) => {
        try {
          const { subscription } = read(object)
          expect(typeof subscription.id).toBe('string')
          expect(subscription.purchase?.n ?? 1).toBeGreaterThanOrEqual(1)
          expect(
            isLive(subscription.status) || isEnded(subscription.status) || subscription.status === 'incomplete',
          ).toBe(true)
          expect(projected(slot(), subscription).rev).toBe(slot().rev + 1)
        } catch (error) {
          expect(error).toBeInstanceOf(z.core.$ZodError)
        }
      }),
    )
  })

  // [catch readSubscription.stripeStatusSchema]
  it('holds the slot for a status that it does not know', () => {
    checkProperty(
      fc.property(fc.string(), (status) => {
        const { subscription } = read({ ...valid, status: `new ${status}` })
        expect(subscription.status).toBe('paused')
      }),
    )
  })

  it('ends with the item that ends first', () => {
    const ends = fc.array(fc.nat(), { minLength: 1, maxLength: 5 })
    checkProperty(
      fc.property(ends, (times) => {
        const items = { data: times.map((current_period_end) => ({ current_period_end })) }
        expect(read({ ...valid, items }).subscription.currentPeriodEnd).toBe(Math.min(...times))
      }),
    )
  })
})
