import { beforeEach, describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe
/** A monthly price in euros. */
let euro: string
beforeEach(async () => {
  euro = (await emulator().newPrice(4500, { currency: 'eur' })).id
})

const set = (settings: object) => emulator().control('POST', '/settings', settings)
const buy = (customer: string, price: string, more: object = {}) =>
  stripe().subscriptions.create({ customer, items: [{ price }], ...more })

describe('A second currency of a customer', () => {
  it.each(['pm_card_visa', 'pm_card_chargeCustomerFail'])(
    'is 400 while a subscription has not ended, paid with %s or not, and fine after',
    async (card) => {
      const { id: customer } = await emulator().customerWith(card)
      const { id } = await buy(customer, emulator().ota)
      const error = await refusal(buy(customer, euro))
      expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error' })
      expect(error.message).toBe(
        'You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, ' +
          'quote, or invoice item with currency usd.',
      )
      await stripe().subscriptions.cancel(id)
      expect((await buy(customer, euro)).currency).toBe('eur')
      expect(await stripe().customers.retrieve(customer)).toMatchObject({ currency: 'eur' })
    },
  )

  it('is not refused to another customer, nor where the currencies are the same', async () => {
    const [one, other] = [await emulator().customerWith('pm_card_visa'), await emulator().customerWith('pm_card_visa')]
    await buy(one.id, emulator().ota)
    expect((await buy(other.id, euro)).status).toBe('active')
    expect((await buy(one.id, emulator().ota)).status).toBe('active')
  })
})

describe('A preview', () => {
  const preview = (customer: string, more: object = {}) =>
    stripe().invoices.createPreview({ customer, subscription_details: { items: [{ price: euro }] }, ...more })

  it('refuses a second currency as its purchase does', async () => {
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    await buy(customer, emulator().ota)
    const { message } = await refusal(preview(customer, { currency: 'eur' }))
    expect(message).toMatch(/^You cannot combine currencies on a single customer/)
  })

  it('is in the currency of its customer unless it names another', async () => {
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    const { id } = await buy(customer, emulator().ota)
    await stripe().subscriptions.cancel(id)
    const { message } = await refusal(preview(customer))
    expect(message).toBe("The price specified only supports `eur`. This doesn't match the expected currency: `usd`.")
    expect(await preview(customer, { currency: 'eur' })).toMatchObject({ currency: 'eur', total: 4500 })
  })
})

it('A currency that the price does not have is 400', async () => {
  const { id: customer } = await emulator().customerWith('pm_card_visa')
  const error = await refusal(buy(customer, euro, { currency: 'usd' }))
  expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining('only supports `eur`')])
  expect((await buy(customer, euro, { currency: 'eur' })).status).toBe('active')
})

describe('A coupon of an amount in another currency', () => {
  it('is refused when a subscription is created or updated, and stays unused', async () => {
    const { stripe, ota } = emulator()
    await stripe.coupons.create({ id: 'FIVE', amount_off: 500, currency: 'eur', duration: 'once' })
    const discounts = [{ coupon: 'FIVE' }]
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    const refused = { statusCode: 400, param: 'discounts[0][coupon]' }
    await expectRefusal(buy(customer, ota, { discounts }), refused)
    const { id } = await buy(customer, ota)
    await expectRefusal(stripe.subscriptions.update(id, { discounts }), refused)
    expect((await stripe.coupons.retrieve('FIVE')).times_redeemed).toBe(0)
    const { id: other } = await emulator().customerWith('pm_card_visa')
    const bought = await buy(other, euro, { discounts, expand: ['latest_invoice'] })
    expect(invoiceOf(bought).total).toBe(4000)
  })
})

describe('A payment that has no source', () => {
  it('is refused with a code, or without one where the settings say so', async () => {
    const { id: customer } = await stripe().customers.create()
    await expectRefusal(buy(customer, emulator().ota), { statusCode: 400, code: 'resource_missing' })
    await set({ missing_source_code: false })
    const { message, code } = await refusal(buy(customer, emulator().ota))
    expect(code).toBeUndefined()
    expect(message).toMatch(/^This customer has no attached payment source or default payment method/)
  })
})

describe('DELETE of an incomplete subscription', () => {
  it.each(['pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'])('voids its invoice: %s', async (card) => {
    const { id, latest_invoice } = await emulator().buy(card, { expand: [] })
    expect((await stripe().subscriptions.cancel(id)).status).toBe('incomplete_expired')
    expect((await stripe().invoices.retrieve(String(latest_invoice))).status).toBe('void')
  })

  it('leaves it open and payable where the settings say so', async () => {
    await set({ cancel_incomplete: 'leaves_open' })
    const { stripe } = emulator()
    const { id, latest_invoice, customer } = await emulator().buy('pm_card_chargeCustomerFail', { expand: [] })
    expect((await stripe.subscriptions.cancel(id)).status).toBe('incomplete_expired')
    const invoice = String(latest_invoice)
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'open', auto_advance: false })
    const { id: good } = await stripe.paymentMethods.attach('pm_card_visa', { customer: String(customer) })
    expect((await stripe.invoices.pay(invoice, { payment_method: good })).status).toBe('paid')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired')
  })
})

describe('A webhook that is never acknowledged', () => {
  async function attempts(): Promise<number> {
    const { core, stripe } = emulator()
    core.registerWebhookEndpoint({ url: 'http://127.0.0.1:9/', secret: 'whsec_a', enabledEvents: ['customer.created'] })
    core.setWebhookMode('hold')
    await stripe.customers.create()
    let count = 0
    for (let hour = 0; hour < 24 * 4; hour += 1) {
      for (const { delivery } of core.pendingWebhooks()) {
        core.recordWebhookAttempt(delivery, 500)
        count += 1
      }
      core.advance(3600)
    }
    return count
  }

  it('is retried three times over a few hours, as in test mode', async () => {
    expect(await attempts()).toBe(4)
  })

  it('is retried for about three days where the settings say live', async () => {
    await set({ webhook_retries: 'live' })
    expect(await attempts()).toBe(10)
  })
})

it('An invoice says what was paid off Stripe: nothing', async () => {
  expect(invoiceOf(await emulator().buy()).amount_paid_off_stripe).toBe(0)
})
