import { describe, expect, it } from '@jest/globals'
import { createStripeCore } from '../../core/stripeCore.ts'
import { chance } from '../support/chance.ts'
import { eachTest } from '../support/eachTest.ts'
import { day, hour, openInvoiced } from '../support/openInvoiced.ts'

const shop = eachTest(openInvoiced)

/** Advances to a minute before the due date of an invoice: the clock runs on. */
async function almostDue({ due_date }: { due_date: number | null }) {
  await shop().advance((due_date ?? 0) - 60 - shop().core.now())
}

describe('Given a sent invoice that is not paid by its due date', () => {
  it('is overdue and its subscription past due, until it is paid', async () => {
    const { id, invoice } = await shop().buyAndOpen()
    const seen = (await shop().eventTypes()).length
    await almostDue(invoice)
    expect([await shop().statusOf(id), await shop().eventsSince(seen)]).toEqual(['active', []])
    await shop().advance(60)
    expect(await shop().statusOf(id)).toBe('past_due')
    expect(await shop().eventsSince(seen)).toEqual(['customer.subscription.updated', 'invoice.overdue'])
    expect((await shop().latest(id)).status).toBe('open')
    await shop().advance(day)
    expect(await shop().eventsSince(seen)).toHaveLength(2)
    await shop().stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
    expect(await shop().statusOf(id)).toBe('active')
  })

  it.each(['canceled', 'unpaid', 'past_due'] as const)(
    'leaves the subscription %s in the end, as set',
    async (after) => {
      await shop().control('POST', '/settings', { after_due: after, after_due_days: 10 })
      const { id, invoice } = await shop().buyAndOpen()
      await almostDue(invoice)
      await shop().advance(10 * day)
      expect(await shop().statusOf(id)).toBe('past_due')
      await shop().advance(60)
      expect(await shop().statusOf(id)).toBe(after)
      const ended = await shop().stripe.subscriptions.retrieve(id)
      expect(ended.cancellation_details?.reason).toBe(after === 'canceled' ? 'payment_failed' : null)
      await shop().stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
      expect(await shop().statusOf(id)).toBe(after === 'canceled' ? 'canceled' : 'active')
    },
  )

  it('is past due as soon as it is open, where it is finalized after its due date', async () => {
    const { id } = await shop().buyAndOpen({ days_until_due: 0 })
    expect(await shop().statusOf(id)).toBe('past_due')
  })

  it('is active again once what was due is paid, while the next invoice is not due yet', async () => {
    const { id, invoice } = await shop().buyAndOpen()
    await shop().advance(32 * day)
    expect([await shop().statusOf(id), (await shop().latest(id)).status]).toEqual(['past_due', 'open'])
    await shop().stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
    expect(await shop().statusOf(id)).toBe('active')
  })

  it('stays past due while another invoice of it is due', async () => {
    const { id, invoice } = await shop().buyAndOpen()
    await shop().advance(32 * day)
    const renewal = await shop().latest(id)
    await shop().stripe.invoices.pay(renewal.id, { paid_out_of_band: true })
    expect(await shop().statusOf(id)).toBe('past_due')
    await shop().stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
    expect(await shop().statusOf(id)).toBe('active')
  })
})

describe('Given reminders', () => {
  it('are sent before and after the due date, once each, and none for what is paid', async () => {
    await shop().control('POST', '/settings', { will_be_due_days: [30, 3], overdue_days: [1, 5] })
    const { invoice } = await shop().buyAndOpen()
    const seen = (await shop().eventTypes()).length
    await almostDue(invoice)
    expect(await shop().eventsSince(seen)).toEqual(['invoice.will_be_due'])
    await shop().advance(2 * day)
    await shop().stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
    await shop().advance(7 * day)
    const types = (await shop().eventsSince(seen)).filter((type) => type.startsWith('invoice.'))
    expect(types).toEqual(['invoice.will_be_due', 'invoice.overdue', 'invoice.paid'])
  })
})

describe('Given a snapshot of an overdue invoice', () => {
  it('goes on where it was: nothing is sent twice, and the end comes', async () => {
    const { id, invoice } = await shop().buyAndOpen()
    await almostDue(invoice)
    await shop().advance(hour)
    const snapshot = shop().core.snapshot()
    const core = createStripeCore({
      now: () => Date.now() / 1000,
      random: chance(1),
      secretKeys: ['sk_test_a'],
      snapshot,
    })
    const overdue = () => Object.values(core.snapshot().rows.events).filter(({ type }) => type === 'invoice.overdue')
    core.advance(day)
    expect(overdue()).toHaveLength(1)
    core.advance(30 * day)
    expect(core.snapshot().rows.subscriptions[id]?.status).toBe('canceled')
    core.close()
  })
})
