import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { eachTest } from '../support/eachTest.ts'
import { intentOf, invoiceOf } from '../support/openEmulator.ts'
import { itemOf, openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const shop = eachTest(openSubscriber)
const stripe = () => shop().stripe

const day = 86_400

describe('An update whose invoice cannot be paid', () => {
  async function failing(behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior) {
    const created = await shop().buy()
    await shop().replaceCard('pm_card_chargeCustomerFail')
    const params = {
      items: [{ id: itemOf(created).id, quantity: 3 }],
      proration_behavior: 'always_invoice' as const,
      payment_behavior: behavior,
    }
    return { created, params }
  }

  it('with allow_incomplete is applied, is past_due, and recovers when a retry pays', async () => {
    const { created, params } = await failing('allow_incomplete')
    const changed = await shop().update(created.id, params)
    expect([changed.status, itemOf(changed).quantity, invoiceOf(changed).status]).toEqual(['past_due', 3, 'open'])
    await shop().replaceCard('pm_card_visa')
    await shop().advance(3 * day + 60)
    expect((await stripe().subscriptions.retrieve(created.id)).status).toBe('active')
  })

  it('with default_incomplete waits for the buyer without trying', async () => {
    const { created, params } = await failing('default_incomplete')
    const changed = await shop().update(created.id, params)
    expect([changed.status, invoiceOf(changed).attempt_count]).toEqual(['past_due', 0])
    const { id } = await intentOf(stripe(), invoiceOf(changed))
    await stripe().paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect((await stripe().subscriptions.retrieve(created.id)).status).toBe('active')
  })

  it('with pending_if_incomplete changes nothing until the payment succeeds', async () => {
    const { created, params } = await failing('pending_if_incomplete')
    const before = shop().now()
    const held = await shop().update(created.id, params)
    expect(held).toMatchObject({
      status: 'active',
      items: { data: [{ quantity: 1 }] },
      pending_update: { subscription_items: [{ quantity: 3 }] },
    })
    const decidedAt = (held.pending_update?.expires_at ?? 0) - 23 * 3600
    expect(decidedAt).toBeGreaterThanOrEqual(before)
    expect(decidedAt).toBeLessThanOrEqual(shop().now())
    await shop().replaceCard('pm_card_mastercard')
    await stripe().invoices.pay(invoiceOf(held).id)
    const found = await stripe().subscriptions.retrieve(created.id)
    expect(found).toMatchObject({ pending_update: null, items: { data: [{ quantity: 3 }] } })
    expect(await shop().eventTypes()).toContain('customer.subscription.pending_update_applied')
  })

  it('with pending_if_incomplete expires after 23 h with its invoice voided', async () => {
    const { created, params } = await failing('pending_if_incomplete')
    const held = await shop().update(created.id, params)
    await shop().advance(23 * 3600 + 1)
    const found = await stripe().subscriptions.retrieve(created.id)
    expect(found).toMatchObject({ pending_update: null, status: 'active', items: { data: [{ quantity: 1 }] } })
    expect((await stripe().invoices.retrieve(invoiceOf(held).id)).status).toBe('void')
    expect(await shop().eventTypes()).toContain('customer.subscription.pending_update_expired')
  })

  it('with pending_if_incomplete is applied at once when paid at once, and is refused where it cannot wait', async () => {
    const { created, params } = await failing('pending_if_incomplete')
    await shop().replaceCard('pm_card_visa')
    const found = await shop().update(created.id, params)
    expect(found).toMatchObject({ pending_update: null, items: { data: [{ quantity: 3 }] } })
    const again = shop().update(created.id, { ...params, description: 'x' })
    await expectRefusal(again, { statusCode: 400, param: 'description' })
  })

  it('with pending_if_incomplete overwrites only what it names', async () => {
    const created = await shop().buy()
    await shop().replaceCard('pm_card_chargeCustomerFail')
    const items = [{ id: itemOf(created).id, quantity: 3 }]
    const how = { proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' } as const
    const held = await shop().update(created.id, { items, ...how })
    await shop().update(created.id, { metadata: { later: 'yes' }, cancel_at_period_end: true })
    await shop().replaceCard('pm_card_visa')
    await stripe().invoices.pay(invoiceOf(held).id)
    expect(await stripe().subscriptions.retrieve(created.id)).toMatchObject({
      metadata: { later: 'yes' },
      cancel_at_period_end: true,
      items: { data: [{ quantity: 3 }] },
    })
    const discounted = shop().update(created.id, { discounts: [{ coupon: 'HALF' }], ...how })
    await expectRefusal(discounted, { statusCode: 501 })
  })
})
