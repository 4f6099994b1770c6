import { describe, expect, it } from '@jest/globals'
import { parseSlot, putSlot } from '../../../lib/adapters/dynamodb/slotStore.ts'
import { type GatewaySubscription, openPaymentOf } from '../../../lib/billing/gateway/subscription.ts'
import { projected } from '../../../lib/billing/slot/slotChange.ts'
import { subscriptionResource, toSubscriptionResource } from '../../../lib/billing/slot/subscriptionResource.ts'
import { liveSlot, noon, pendingSlot, slot, soldPrice, subscription, userId } from '../fixtures.ts'

const waits = { kind: 'requires_action', clientSecret: 'pi_1_secret_1', paymentMethodId: 'pm_1' } as const
const declinedFor = (declineCode: string | null) => ({ kind: 'declined', declineCode }) as const
const none = { kind: 'none' } as const

/** The API's object after the gateway said this of the subscription. */
function resourceAfter(change: Partial<GatewaySubscription>) {
  return toSubscriptionResource(projected(liveSlot(), subscription(change)))
}

describe('toSubscriptionResource', () => {
  it.each([
    ['incomplete', waits, 'confirm_payment'],
    ['incomplete', declinedFor('insufficient_funds'), 'update_payment_method'],
    ['incomplete', declinedFor('authentication_required'), 'update_payment_method'],
    ['incomplete', none, 'wait'],
    ['past_due', waits, 'confirm_payment'],
    ['past_due', declinedFor('authentication_required'), 'confirm_payment'],
    ['past_due', declinedFor('expired_card'), 'update_payment_method'],
    ['past_due', declinedFor(null), 'update_payment_method'],
    ['past_due', none, 'none'],
    ['unpaid', waits, 'confirm_payment'],
    ['unpaid', none, 'update_payment_method'],
    ['trialing', none, 'none'],
    ['active', none, 'none'],
    ['paused', none, 'none'],
    ['canceled', none, 'none'],
  ] as const)('of one that is %s with the payment %j has the action %3$s', (status, payment, action) => {
    expect(resourceAfter({ status, payment })).toMatchObject({ status, action })
  })

  const page = 'https://pay.example/i/1'
  const sent = { kind: 'invoice_open', hostedInvoiceUrl: page } as const

  it.each(['active', 'past_due', 'unpaid', 'canceled'] as const)(
    'of one that is %s with an open invoice has its page',
    (status) => {
      const resource = resourceAfter({ gateway: 'invoice', status, payment: sent })
      expect(subscriptionResource.parse(resource)).toMatchObject({ action: 'pay_invoice', hosted_invoice_url: page })
      const without = resourceAfter({ gateway: 'invoice', status, payment: { ...sent, hostedInvoiceUrl: null } })
      expect(without).toMatchObject({ action: 'pay_invoice', hosted_invoice_url: null })
    },
  )

  it.each([
    ['past_due', none, {}],
    ['unpaid', none, {}],
    ['active', none, {}],
    ['canceled', none, {}],
    ['canceled', sent, { refundDue: true }],
  ] as const)('of one paid by invoice that is %s with %j asks for nothing', (status, payment, surplus) => {
    const resource = resourceAfter({ gateway: 'invoice', status, payment, ...surplus })
    expect(resource).toMatchObject({ action: 'none' })
    expect(resource).toHaveProperty('hosted_invoice_url', null)
  })

  it('of one paid by card that left an invoice open at its end asks for nothing', () => {
    const resource = resourceAfter({
      status: 'canceled',
      payment: { kind: 'invoice_open', hostedInvoiceUrl: null, buysNothing: true },
    })
    expect(resource).toMatchObject({ action: 'none' })
    expect(resource).toHaveProperty('hosted_invoice_url', null)
  })

  it('has every member that is known, with times in UTC', () => {
    const coupon = { id: 'coupon-1', code: 'CODE', userId }
    const ended = subscription({ status: 'canceled', cancelAt: noon + 60, endedAt: noon + 60 })
    const resource = toSubscriptionResource(projected(liveSlot({ coupon }), ended))
    expect(subscriptionResource.parse(resource)).toEqual({
      product: 'ota',
      plan_code: 'base_ota',
      status: 'canceled',
      current_period_end: '2026-12-21T12:00:00Z',
      cancel_at: '2026-11-21T12:01:00Z',
      ended_at: '2026-11-21T12:01:00Z',
      coupon_code: 'CODE',
      price: { amount: 4900, currency: 'usd', interval: 'month', interval_count: 1 },
      next_charge: null,
      gateway: 'card',
      action: 'none',
      hosted_invoice_url: null,
    })
  })

  it('is null for a product never bought, and after a purchase that was only ever declined', () => {
    expect(toSubscriptionResource(slot({ n: 0, rev: 0 }))).toBeNull()
    expect(toSubscriptionResource(slot({ state: 'none', gateway: 'card' }))).toBeNull()
  })

  it('of a pending purchase waits, and shows nothing of the subscription that ended before it', () => {
    const { subscription: earlier } = projected(liveSlot(), subscription({ status: 'canceled', endedAt: noon }))
    const again = pendingSlot({ n: 2, gateway: 'invoice', ...(earlier && { subscription: earlier }) })
    expect(toSubscriptionResource(again)).toEqual({
      product: 'ota',
      plan_code: 'base_ota',
      status: 'pending',
      current_period_end: null,
      cancel_at: null,
      ended_at: null,
      coupon_code: null,
      price: null,
      next_charge: null,
      gateway: 'invoice',
      action: 'wait',
      hosted_invoice_url: null,
    })
  })
})

describe('What a subscription costs', () => {
  const nextCharge = { amount: 2450, at: noon + 60 }
  const cent = { amount: 1, currency: 'usd', interval: 'month', intervalCount: 1 } as const

  it('is stored with its slot', () => {
    const priced = projected(liveSlot(), subscription({ nextCharge }))
    expect(priced.subscription).toMatchObject({ price: soldPrice, nextCharge })
    expect(parseSlot(putSlot('billing', priced).Put?.Item ?? {})).toEqual(priced)
    const price = { amount: 4900, currency: 'usd', interval: 'month', interval_count: 1 }
    const resource = subscriptionResource.parse(toSubscriptionResource(priced))
    expect(resource).toMatchObject({ price, next_charge: { amount: 2450, at: '2026-11-21T12:01:00Z' } })
  })

  it('is the price of the sale for as long as it is the same subscription, and the latest next charge', () => {
    const sold = projected(liveSlot(), subscription({ nextCharge }))
    const replaced = projected(sold, subscription({ price: cent, nextCharge: null }))
    expect(replaced.subscription).toMatchObject({ price: soldPrice, nextCharge: null })
    expect(projected(replaced, subscription()).subscription).not.toHaveProperty('nextCharge')
    const adopted = projected(replaced, subscription({ id: 'sub_2', price: cent }))
    expect(adopted.subscription).toMatchObject({ price: cent })
  })

  it('is no amount without a currency: without a price there is no next charge', () => {
    const tiered = projected(liveSlot(), subscription({ id: 'sub_2', price: null, nextCharge }))
    expect(tiered.subscription).not.toHaveProperty('price')
    expect(toSubscriptionResource(tiered)).toMatchObject({ price: null, next_charge: null })
  })
})

describe('The open payment of a slot', () => {
  it('is stored with it, without its secret, and is gone with the next projection that has none', () => {
    const open = projected(liveSlot(), subscription({ status: 'past_due', payment: waits }))
    const stored = putSlot('billing', open).Put?.Item ?? {}
    expect(parseSlot(stored)).toEqual(open)
    expect(open.subscription).toMatchObject({ payment: 'requires_action' })
    expect(JSON.stringify(stored)).not.toContain('_secret_')
    expect(projected(open, subscription()).subscription).not.toHaveProperty('payment')
  })

  it('is the same when the same answer is projected again', () => {
    const latest = subscription({ status: 'past_due', payment: declinedFor('expired_card') })
    const once = projected(liveSlot(), latest)
    expect(projected(once, latest)).toEqual({ ...once, rev: once.rev + 1 })
    expect(openPaymentOf(subscription())).toBeNull()
  })
})
