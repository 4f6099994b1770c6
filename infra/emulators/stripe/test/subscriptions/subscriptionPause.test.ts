import { afterAll, describe, expect, it } from '@jest/globals'
import { invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

async function buy(more: object = {}, card?: string) {
  const customer = card === undefined ? await stripe.customers.create() : await emulator.customerWith(card)
  return emulator.subscribe(customer.id, { ...more })
}

describe('POST /v1/subscriptions/:id/pause', () => {
  it('bills nothing until it is resumed, which starts a new paid cycle', async () => {
    const { id } = await buy({}, 'pm_card_visa')
    const paused = await stripe.subscriptions.pause(id)
    expect(paused).toMatchObject({
      status: 'paused',
      status_details: { paused: { subscription: { type: 'pause_requested' } } },
    })
    await emulator.advance(90 * 86_400)
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
    const resumed = await stripe.subscriptions.resume(id, { expand: ['latest_invoice'] })
    expect([resumed.status, resumed.status_details, invoiceOf(resumed).status]).toEqual(['active', undefined, 'paid'])
    expect(resumed.items.data[0]?.current_period_start).toBe(resumed.billing_cycle_anchor)
    expect(await emulator.eventTypes()).toEqual(expect.arrayContaining(['customer.subscription.resumed']))
  })

  it('can only be resumed when paused, and not be paused when ended', async () => {
    const { id } = await buy({}, 'pm_card_visa')
    expect((await refusal(stripe.subscriptions.resume(id))).message).toMatch(/only resume .* `paused`/)
    await stripe.subscriptions.cancel(id)
    await expectRefusal(stripe.subscriptions.pause(id), { statusCode: 400 })
  })
})

describe('A trial that ends without a card', () => {
  it.each([
    ['pause', 'paused', 'customer.subscription.paused'],
    ['cancel', 'canceled', 'customer.subscription.deleted'],
    ['create_invoice', 'past_due', 'invoice.payment_failed'],
  ] as const)('with missing_payment_method=%s is %s', async (missing_payment_method, status, type) => {
    const { id } = await buy({ trial_period_days: 3, trial_settings: { end_behavior: { missing_payment_method } } })
    await emulator.advance(3 * 86_400 + 3700)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe(status)
    expect(await emulator.eventTypes()).toContain(type)
  })

  it.each([
    ['pause', 'paused'],
    ['cancel', 'canceled'],
    ['create_invoice', 'past_due'],
  ] as const)('by trial_end=now with missing_payment_method=%s is %s too', async (missing_payment_method, status) => {
    const { id } = await buy({ trial_period_days: 3 })
    const ended = await stripe.subscriptions.update(id, {
      trial_end: 'now',
      trial_settings: { end_behavior: { missing_payment_method } },
      metadata: { plan: 'team' },
    })
    expect(ended).toMatchObject({ status, metadata: { plan: 'team' } })
    expect(ended.trial_end).toBeLessThanOrEqual(ended.canceled_at ?? Infinity)
    const billed = (await stripe.invoices.list({ subscription: id })).data.filter(({ amount_due }) => amount_due > 0)
    expect(billed).toHaveLength(status === 'past_due' ? 1 : 0)
  })

  it('is not ended by trial_end=now with pending_if_incomplete, of which no document tells', async () => {
    const { id } = await buy({
      trial_period_days: 3,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    })
    const refused = stripe.subscriptions.update(id, { trial_end: 'now', payment_behavior: 'pending_if_incomplete' })
    await expectRefusal(refused, { statusCode: 501, code: 'unsupported_value', param: 'payment_behavior' })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('trialing')
  })
})
