import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openStandIn, type StandIn } from './openEmulator.ts'

const day = 86_400
let standIn: StandIn
beforeEach(async () => {
  standIn = await openStandIn()
})
afterEach(async () => {
  expect(standIn.core.violations()).toEqual([])
  await standIn.close()
})

/** A subscription whose first renewal and every retry of it fail. */
async function neverRenews() {
  const { id: customer } = await standIn.customerWith('pm_card_visa')
  const { id } = await standIn.stripe.subscriptions.create({ customer, items: [{ price: standIn.ota }] })
  const { id: bad } = await standIn.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await standIn.stripe.customers.update(customer, { invoice_settings: { default_payment_method: bad } })
  await standIn.advance(50 * day)
  return { customer, id }
}
const statusOf = async (id: string) => (await standIn.stripe.subscriptions.retrieve(id)).status

describe('POST /_emulator/settings', () => {
  it.each(['canceled', 'unpaid', 'past_due'] as const)(
    'makes a subscription %s after its last retry',
    async (after) => {
      await standIn.control('POST', '/settings', { after_retries: after, retry_days: [1, 2] })
      const { id } = await neverRenews()
      expect(await statusOf(id)).toBe(after)
      const renewal = (await standIn.stripe.invoices.list({ subscription: id })).data.at(-2)
      expect(renewal).toMatchObject({ status: 'open', attempt_count: 3 })
    },
  )

  it('lets an unpaid subscription write drafts, and revives it when its invoice is paid', async () => {
    await standIn.control('POST', '/settings', { after_retries: 'unpaid', retry_days: [1] })
    const { customer, id } = await neverRenews()
    await standIn.advance(31 * day)
    const [draft, open] = (await standIn.stripe.invoices.list({ subscription: id })).data
    expect([draft?.status, draft?.auto_advance, open?.status]).toEqual(['draft', false, 'open'])
    const { id: good } = await standIn.stripe.paymentMethods.attach('pm_card_visa', { customer })
    await standIn.stripe.invoices.pay(open?.id ?? '', { payment_method: good })
    expect(await statusOf(id)).toBe('active')
  })

  it('changes what is named, tells all, refuses the unknown, and is undone by a reset', async () => {
    const before = await standIn.control('GET', '/settings')
    expect(before).toMatchObject({ after_retries: 'canceled', draft_seconds: 3600, one_live_per: [] })
    expect(await standIn.control('POST', '/settings', { draft_seconds: 60 })).toMatchObject({
      after_retries: 'canceled',
      draft_seconds: 60,
    })
    expect(await standIn.control('POST', '/settings', { colour: 'red' })).toMatchObject({
      error: { type: 'invalid_request_error' },
    })
    await standIn.control('POST', '/reset')
    expect(await standIn.control('GET', '/settings')).toEqual(before)
  })
})

describe('The card that pays', () => {
  it('is the subscription’s own before the customer’s, and its loss falls back', async () => {
    const { id: customer } = await standIn.customerWith('pm_card_visa')
    const { id: own } = await standIn.stripe.paymentMethods.attach('pm_card_mastercard', { customer })
    const params = { customer, items: [{ price: standIn.ota }], default_payment_method: own }
    const { id } = await standIn.stripe.subscriptions.create(params)
    const brands = async () =>
      (await standIn.stripe.charges.list({ customer })).data.map((row) => row.payment_method_details?.card?.brand)
    expect(await brands()).toEqual(['mastercard'])
    await standIn.stripe.paymentMethods.detach(own)
    expect((await standIn.stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()
    await standIn.advance(32 * day)
    expect(await brands()).toEqual(['visa', 'mastercard'])
  })

  it('is not copied from the customer, and is kept only where that was asked for', async () => {
    const { id: customer } = await standIn.customerWith('pm_card_visa')
    const items = [{ price: standIn.ota }]
    const plain = await standIn.stripe.subscriptions.create({ customer, items })
    expect(plain.default_payment_method).toBeNull()
    const save = { save_default_payment_method: 'on_subscription' as const }
    const saved = await standIn.stripe.subscriptions.create({ customer, items, payment_settings: save })
    expect(saved.default_payment_method).toMatch(/^pm_/)
  })

  it('stops being the customer’s default when it is detached', async () => {
    const { id: customer, invoice_settings } = await standIn.customerWith('pm_card_visa')
    await standIn.stripe.paymentMethods.detach(String(invoice_settings.default_payment_method))
    expect(await standIn.stripe.customers.retrieve(customer)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    })
  })
})
