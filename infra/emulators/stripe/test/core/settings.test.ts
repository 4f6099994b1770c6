import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { openEmulator } from '../support/openEmulator.ts'

const day = 86_400
const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe

/** A subscription whose first renewal and every retry of it fail. */
async function neverRenews() {
  const { id: customer } = await emulator().customerWith('pm_card_visa')
  const { id } = await emulator().subscribe(customer)
  await emulator().replaceCard(customer, 'pm_card_chargeCustomerFail')
  await emulator().advance(50 * day)
  return { customer, id }
}

describe('POST /_emulator/settings', () => {
  it.each(['canceled', 'unpaid', 'past_due'] as const)(
    'makes a subscription %s after its last retry',
    async (after) => {
      await emulator().control('POST', '/settings', { after_retries: after, retry_days: [1, 2] })
      const { id } = await neverRenews()
      expect(await emulator().statusOf(id)).toBe(after)
      const renewal = (await stripe().invoices.list({ subscription: id })).data.at(-2)
      expect(renewal).toMatchObject({ status: 'open', attempt_count: 3 })
    },
  )

  it('writes drafts for an unpaid subscription, and reactivates it when its invoice is paid', async () => {
    await emulator().control('POST', '/settings', { after_retries: 'unpaid', retry_days: [1] })
    const { customer, id } = await neverRenews()
    await emulator().advance(31 * day)
    const [draft, open] = (await stripe().invoices.list({ subscription: id })).data
    expect([draft?.status, draft?.auto_advance, open?.status]).toEqual(['draft', false, 'open'])
    const { id: good } = await stripe().paymentMethods.attach('pm_card_visa', { customer })
    await stripe().invoices.pay(open?.id ?? '', { payment_method: good })
    expect(await emulator().statusOf(id)).toBe('active')
  })

  it('changes the settings sent, returns all, refuses unknown ones, and is undone by a reset', async () => {
    const before = await emulator().control('GET', '/settings')
    expect(before).toMatchObject({ after_retries: 'canceled', draft_seconds: 3600, one_live_per: [] })
    const found = await emulator().control('POST', '/settings', { draft_seconds: 60 })
    expect(found).toMatchObject({ after_retries: 'canceled', draft_seconds: 60 })
    const after = await emulator().control('POST', '/settings', { colour: 'red' })
    expect(after).toMatchObject({ error: { type: 'invalid_request_error' } })
    await emulator().control('POST', '/reset')
    expect(await emulator().control('GET', '/settings')).toEqual(before)
  })
})

describe('The card that pays', () => {
  it('is the subscription’s own before the customer’s, and its loss falls back', async () => {
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    const { id: own } = await stripe().paymentMethods.attach('pm_card_mastercard', { customer })
    const params = { customer, items: [{ price: emulator().ota }], default_payment_method: own }
    const { id } = await stripe().subscriptions.create(params)
    const brands = async () =>
      (await stripe().charges.list({ customer })).data.map((row) => row.payment_method_details?.card?.brand)
    expect(await brands()).toEqual(['mastercard'])
    await stripe().paymentMethods.detach(own)
    expect((await stripe().subscriptions.retrieve(id)).default_payment_method).toBeNull()
    await emulator().advance(32 * day)
    expect(await brands()).toEqual(['visa', 'mastercard'])
  })

  it('is not copied from the customer, and is kept only where that was asked for', async () => {
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    const items = [{ price: emulator().ota }]
    const plain = await stripe().subscriptions.create({ customer, items })
    expect(plain.default_payment_method).toBeNull()
    const save = { save_default_payment_method: 'on_subscription' as const }
    const saved = await stripe().subscriptions.create({ customer, items, payment_settings: save })
    expect(saved.default_payment_method).toMatch(/^pm_/)
  })

  it('stops being the customer’s default when it is detached', async () => {
    const { id: customer, invoice_settings } = await emulator().customerWith('pm_card_visa')
    await stripe().paymentMethods.detach(String(invoice_settings.default_payment_method))
    const found = await stripe().customers.retrieve(customer)
    expect(found).toMatchObject({ invoice_settings: { default_payment_method: null } })
  })
})
