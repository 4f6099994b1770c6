import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { expectRefusal } from '../support/refusal.ts'
import { goodCard, itWhere, openTestAccount, supports } from './openTestAccount.ts'
import { demandOf, paymentOf } from './paymentOf.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

type Terms = Omit<Stripe.SubscriptionCreateParams, 'customer'>

async function buy(card: string | undefined, terms: Terms = {}) {
  const { id: customer } = await account.customerWith(card)
  return stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }], ...terms })
}

const declining = 'pm_card_chargeCustomerFail'
const asking = 'pm_card_authenticationRequired'

describe('POST /v1/subscriptions', () => {
  it.each([
    ['allow_incomplete', goodCard, 'active', 'paid', 'succeeded'],
    ['error_if_incomplete', goodCard, 'active', 'paid', 'succeeded'],
    ['allow_incomplete', declining, 'incomplete', 'open', 'requires_payment_method'],
    ['allow_incomplete', asking, 'incomplete', 'open', 'requires_action'],
  ] as const)('%s with %s answers %s, its invoice %s, its PaymentIntent %s', async (behavior, card, ...expected) => {
    const subscription = await buy(card, { payment_behavior: behavior })
    const { invoice, intent } = await demandOf(stripe, subscription)
    expect([subscription.status, invoice.status, intent.status]).toEqual(expected)
  })

  it.each([goodCard, declining, asking, undefined])(
    'default_incomplete charges nothing, whatever the card (%s)',
    async (card) => {
      const subscription = await buy(card, { payment_behavior: 'default_incomplete' })
      const { invoice, intent } = await demandOf(stripe, subscription)
      expect([subscription.status, invoice.status, intent.amount_received]).toEqual(['incomplete', 'open', 0])
      expect(invoice.confirmation_secret?.client_secret).toBe(intent.client_secret)
    },
  )

  it.each([
    [declining, { code: 'card_declined', decline_code: 'generic_decline' }],
    [asking, { code: 'subscription_payment_intent_requires_action' }],
  ])('error_if_incomplete with %s answers 402 and leaves no subscription', async (card, expected) => {
    const { id: customer } = await account.customerWith(card)
    const terms = { customer, items: [{ price: account.prices.paid }], payment_behavior: 'error_if_incomplete' }
    const buying = stripe.subscriptions.create(terms)
    await expectRefusal(buying, { statusCode: 402, type: 'StripeCardError', ...expected })
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
  })

  it('records on the PaymentIntent why a card was declined', async () => {
    const { intent } = await demandOf(stripe, await buy(declining))
    const { code, decline_code } = intent.last_payment_error ?? {}
    expect([code, decline_code]).toEqual(['card_declined', 'generic_decline'])
  })

  itWhere(supports.authentication)('becomes active once the buyer has authenticated', async () => {
    const subscription = await buy(asking)
    const { intent } = await demandOf(stripe, subscription)
    await account.authenticate(intent.id, 'succeed')
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  it('becomes active once the PaymentIntent is confirmed with a card that works', async () => {
    const subscription = await buy(undefined, { payment_behavior: 'default_incomplete' })
    const { intent } = await demandOf(stripe, subscription)
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: goodCard })
    expect(paid.status).toBe('succeeded')
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  it('asks for no card where the price is free', async () => {
    const subscription = await buy(undefined, { items: [{ price: account.prices.free }] })
    const { invoice, intent } = await paymentOf(stripe, subscription)
    expect([subscription.status, invoice.status, invoice.amount_due, intent]).toEqual(['active', 'paid', 0, null])
  })

  it('asks for no card where a coupon takes everything off', async () => {
    const { id: coupon } = await account.coupon({ percent_off: 100, duration: 'once' })
    const subscription = await buy(undefined, { discounts: [{ coupon }] })
    const { invoice } = await paymentOf(stripe, subscription)
    expect([subscription.status, invoice.subtotal, invoice.total]).toEqual(['active', 4900, 0])
  })

  it('asks for a card to be set up where a trial comes first', async () => {
    const subscription = await buy(undefined, { trial_period_days: 14 })
    expect(subscription.status).toBe('trialing')
    expect(subscription.pending_setup_intent).toMatch(/^seti_/)
  })
})
