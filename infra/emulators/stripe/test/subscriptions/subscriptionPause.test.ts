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
})
