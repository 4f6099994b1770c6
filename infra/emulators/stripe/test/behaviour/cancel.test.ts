import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'
import { demandOf } from './paymentOf.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function buy(card = goodCard, { clocked = false } = {}) {
  const { id: customer } = await account.customerWith(card, { clocked })
  return stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }] })
}
const customerOf = ({ customer }: { customer: string | { id: string } }) =>
  typeof customer === 'string' ? customer : customer.id

describe('DELETE /v1/subscriptions/:id', () => {
  it('ends the subscription at once and records the reason', async () => {
    const { id } = await buy()
    const ended = await stripe.subscriptions.cancel(id)
    expect([ended.status, ended.cancellation_details?.reason]).toEqual(['canceled', 'cancellation_requested'])
    expect(ended.ended_at).toBeGreaterThanOrEqual(ended.created)
  })

  it('answers 404 the second time, and the subscription can still be read', async () => {
    const { id } = await buy()
    await stripe.subscriptions.cancel(id)
    await expectRefusal(stripe.subscriptions.cancel(id), { statusCode: 404, code: 'resource_missing', param: 'id' })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
  })

  it('voids the invoice of a subscription that was never paid', async () => {
    const subscription = await buy('pm_card_authenticationRequired')
    const ended = await stripe.subscriptions.cancel(subscription.id)
    expect(['canceled', 'incomplete_expired']).toContain(ended.status)
    expect((await demandOf(stripe, subscription)).invoice.status).toBe('void')
  })
})

describe('POST /v1/subscriptions/:id', () => {
  it('schedules the cancellation for the end of the period, and undoes it', async () => {
    const { id, items } = await buy()
    const scheduled = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    expect([scheduled.status, scheduled.cancel_at]).toEqual(['active', items.data[0]?.current_period_end])
    expect(scheduled.cancellation_details?.reason).toBe('cancellation_requested')
    const undone = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect([undone.cancel_at, undone.canceled_at, undone.cancel_at_period_end]).toEqual([null, null, false])
  })

  it('refuses all but metadata once the subscription has ended', async () => {
    const { id } = await buy()
    await stripe.subscriptions.cancel(id)
    const late = stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await expectRefusal(late, { statusCode: 400, code: 'invalid_canceled_subscription_fields' })
    const noted = await stripe.subscriptions.update(id, { metadata: { seen: 'yes' } })
    expect(noted.metadata).toEqual({ seen: 'yes' })
  })

  it('ends the subscription when the period ends, without another invoice', async () => {
    const subscription = await buy(goodCard, { clocked: true })
    const { id, created, items } = subscription
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const end = items.data[0]?.current_period_end ?? 0
    await account.advance(customerOf(subscription), end - created + 60)
    const ended = await stripe.subscriptions.retrieve(id)
    expect([ended.status, ended.ended_at]).toEqual(['canceled', end])
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  })
})

describe('A renewal', () => {
  it('is charged some time after the period ends; the subscription is past_due where the card declines', async () => {
    const month = 32 * 86_400
    const renewed = await buy(goodCard, { clocked: true })
    await account.advance(customerOf(renewed), month)
    expect((await stripe.subscriptions.retrieve(renewed.id)).status).toBe('active')
    expect((await stripe.invoices.list({ subscription: renewed.id, status: 'paid' })).data).toHaveLength(2)

    const declined = await buy(goodCard, { clocked: true })
    const customer = customerOf(declined)
    const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
    await account.advance(customer, month)
    expect((await stripe.subscriptions.retrieve(declined.id)).status).toBe('past_due')
  })
})
