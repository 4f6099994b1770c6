import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openSubscriber()
const { stripe } = emulator
afterAll(() => emulator.close())

describe('Given a subscription whose end is scheduled', () => {
  it.each<[string, Stripe.SubscriptionUpdateParams, Stripe.SubscriptionUpdateParams]>([
    ['cancel_at_period_end=false', { cancel_at_period_end: true }, { cancel_at_period_end: false }],
    ['cancel_at empty', { cancel_at: 'min_period_end' }, { cancel_at: '' }],
  ])('goes on after %s, its comment kept until it is emptied', async (_case, schedule, undo) => {
    const { id } = await emulator.buy()
    const comment = { cancellation_details: { comment: 'too dear' } }
    const scheduled = await emulator.update(id, { ...schedule, ...comment })
    expect(scheduled).toMatchObject({
      status: 'active',
      cancel_at: scheduled.items.data[0]?.current_period_end,
      canceled_at: emulator.now(),
      cancellation_details: { comment: 'too dear', reason: 'cancellation_requested' },
    })
    expect(await emulator.update(id, undo)).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: 'too dear', reason: null },
    })
    const emptied = await emulator.update(id, { cancellation_details: { comment: '' } })
    expect(emptied.cancellation_details?.comment).toBeNull()
  })

  it('cannot be resumed once it has ended, nor given another card; its comment still changes', async () => {
    const { id } = await emulator.buy()
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: emulator.customer })
    const ended = await stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'bye' } })
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { comment: 'bye' } })
    const changes = [{ cancel_at_period_end: false }, { cancel_at: '' as const }, { default_payment_method: card }]
    for (const change of changes) {
      const refused = emulator.update(id, change)
      await expectRefusal(refused, { statusCode: 400, code: 'invalid_canceled_subscription_fields' })
    }
    const later = await emulator.update(id, { cancellation_details: { comment: '', feedback: 'unused' } })
    expect(later.cancellation_details).toMatchObject({ comment: null, feedback: 'unused' })
  })

  it('ends without a comment where the DELETE empties it', async () => {
    const { id } = await emulator.buy()
    await emulator.update(id, { cancel_at_period_end: true, cancellation_details: { comment: 'bye' } })
    const ended = await stripe.subscriptions.cancel(id, { cancellation_details: { comment: '' } })
    expect(ended.cancellation_details?.comment).toBeNull()
  })
})

describe('Given an incomplete subscription', () => {
  it.each([[{ cancel_at_period_end: true }], [{ default_payment_method: 'own' }], [{ cancel_at: '' as const }]])(
    'refuses %j, and takes metadata',
    async (change) => {
      const { id: customer } = await emulator.customerWith('pm_card_chargeCustomerFail')
      const { id, status } = await emulator.buy({ customer })
      expect(status).toBe('incomplete')
      const own = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
      const sent = 'default_payment_method' in change ? { default_payment_method: own } : change
      await expectRefusal(emulator.update(id, sent), { statusCode: 400, param: Object.keys(change)[0] })
      expect((await emulator.update(id, { metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' })
    },
  )
})
