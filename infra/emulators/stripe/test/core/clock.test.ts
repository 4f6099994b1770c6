import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { type Emulator, intentOf, invoiceOf, openEmulator } from '../support/openEmulator.ts'

const hour = 3600
const day = 24 * hour

const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe

const buy: Emulator['buy'] = (...terms) => emulator().buy(...terms)
const statusOf = (id: string) => emulator().statusOf(id)
const endOf = (subscription: Awaited<ReturnType<typeof buy>>) =>
  (subscription.items.data[0]?.current_period_end ?? 0) - subscription.created

describe('POST /_emulator/clock', () => {
  it('renews at the period end: a draft first, an hour later a paid invoice', async () => {
    const { id, ...created } = await buy('pm_card_visa')
    await emulator().advance(endOf({ id, ...created }) + 5)
    const [draft] = (await stripe().invoices.list({ subscription: id })).data
    expect([draft?.status, draft?.billing_reason]).toEqual(['draft', 'subscription_cycle'])
    await emulator().advance(hour)
    expect((await stripe().invoices.list({ subscription: id, status: 'paid' })).data).toHaveLength(2)
    const renewed = await stripe().subscriptions.retrieve(id)
    expect(renewed.items.data[0]?.current_period_start).toBe(created.items.data[0]?.current_period_end)
  })

  it('expires an incomplete subscription after 23 h, as an update, and voids its invoice', async () => {
    const created = await buy('pm_card_authenticationRequired')
    await emulator().advance(23 * hour - 5)
    expect(await statusOf(created.id)).toBe('incomplete')
    await emulator().advance(10)
    expect(await statusOf(created.id)).toBe('incomplete_expired')
    expect((await stripe().invoices.retrieve(invoiceOf(created).id)).status).toBe('void')
    const types = await emulator().eventTypes()
    expect(types.at(-1)).toBe('customer.subscription.updated')
    expect(types).not.toContain('customer.subscription.deleted')
  })

  it('makes a failed renewal past_due, retries it, and cancels after the last retry', async () => {
    const { id, ...created } = await buy('pm_card_authenticationRequired')
    await emulator().authenticate((await intentOf(stripe(), invoiceOf(created))).id, 'succeed')
    await emulator().advance(endOf({ id, ...created }) + hour + 5)
    expect(await statusOf(id)).toBe('past_due')
    const [renewal] = (await stripe().invoices.list({ subscription: id })).data
    expect(renewal?.next_payment_attempt).toBeGreaterThan(emulator().core.now())
    const [failed] = (await stripe().events.list({ type: 'payment_intent.payment_failed' })).data
    expect(failed?.data.object).toMatchObject({ last_payment_error: { code: 'authentication_required' } })
    await emulator().advance(3 * day)
    expect(await statusOf(id)).toBe('past_due')
    await emulator().advance(13 * day)
    const ended = await stripe().subscriptions.retrieve(id)
    expect([ended.status, ended.cancellation_details?.reason]).toEqual(['canceled', 'payment_failed'])
  })

  it('reactivates a past_due subscription whose customer adds another card', async () => {
    const created = await buy('pm_card_visa')
    const customer = String(created.customer)
    await emulator().replaceCard(customer, 'pm_card_chargeCustomerFail')
    await emulator().advance(endOf(created) + hour + 5)
    expect(await statusOf(created.id)).toBe('past_due')
    await emulator().replaceCard(customer, 'pm_card_visa')
    await emulator().advance(3 * day + 5)
    expect(await statusOf(created.id)).toBe('active')
  })

  it('ends a subscription at its period end when so scheduled', async () => {
    const created = await buy('pm_card_visa')
    const scheduled = await stripe().subscriptions.update(created.id, { cancel_at_period_end: true })
    expect(scheduled.cancel_at).toBe(created.items.data[0]?.current_period_end)
    await emulator().advance(endOf(created) + 5)
    const ended = await stripe().subscriptions.retrieve(created.id)
    expect([ended.status, ended.ended_at]).toEqual(['canceled', scheduled.cancel_at])
    expect((await emulator().eventTypes()).at(-1)).toBe('customer.subscription.deleted')
    expect((await stripe().invoices.list({ subscription: created.id })).data).toHaveLength(1)
  })

  it('ends a trial with the first real invoice', async () => {
    const created = await buy('pm_card_visa', { trial_period_days: 7 })
    await emulator().advance(7 * day + hour + 5)
    const paying = await stripe().subscriptions.retrieve(created.id, { expand: ['latest_invoice'] })
    expect([paying.status, invoiceOf(paying).status, invoiceOf(paying).amount_paid]).toEqual(['active', 'paid', 4900])
  })

  it('applies a coupon that is due once to the first invoice only', async () => {
    const created = await buy('pm_card_visa', { discounts: [{ coupon: 'HALF' }] })
    expect(invoiceOf(created).amount_paid).toBe(2450)
    await emulator().advance(endOf(created) + hour + 5)
    const renewed = await stripe().subscriptions.retrieve(created.id, { expand: ['latest_invoice'] })
    expect([invoiceOf(renewed).amount_paid, renewed.discounts]).toEqual([4900, []])
  })

  it('shows events of the last 30 days only', async () => {
    await buy('pm_card_visa')
    await emulator().advance(31 * day - 3 * hour)
    expect(await emulator().eventTypes()).not.toContain('customer.subscription.created')
  })

  it('leaves a subscription unpaid where the account says so, until its invoice is paid', async () => {
    await emulator().control('POST', '/settings', { after_retries: 'unpaid', retry_days: [1] })
    const { id: customer } = await emulator().customerWith('pm_card_visa')
    const { id } = await emulator().subscribe(customer)
    const bad = await emulator().stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await emulator().stripe.subscriptions.update(id, { default_payment_method: bad.id })
    await emulator().advance(34 * day)
    expect(await statusOf(id)).toBe('unpaid')
    const [owed] = (await emulator().stripe.invoices.list({ subscription: id, status: 'open' })).data
    const good = await emulator().stripe.paymentMethods.attach('pm_card_visa', { customer })
    await emulator().stripe.invoices.pay(owed?.id ?? '', { payment_method: good.id })
    expect(await statusOf(id)).toBe('active')
  })
})

describe('POST /_emulator/clock/reset', () => {
  it('returns to real time, keeps every object, and goes on from there', async () => {
    const { id } = await buy('pm_card_visa')
    await emulator().advance(32 * day)
    const before = await stripe().subscriptions.retrieve(id)
    await emulator().control('POST', '/clock/reset')
    expect(Math.abs(emulator().core.now() - Date.now() / 1000)).toBeLessThan(5)
    expect(await stripe().subscriptions.retrieve(id)).toEqual(before)
    await emulator().advance(64 * day)
    expect((await stripe().invoices.list({ subscription: id, status: 'paid' })).data).toHaveLength(3)
  })
})
