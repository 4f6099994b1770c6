import { afterAll, describe, expect, it } from '@jest/globals'
import { day, openInvoiced } from '../support/openInvoiced.ts'
import { expectRefusal } from '../support/refusal.ts'

const shop = await openInvoiced({ afterDueDays: 300 })
const { stripe } = shop
afterAll(async () => {
  expect(shop.core.violations()).toEqual([])
  await shop.close()
})

const notOpen = { statusCode: 400, message: "You can only pass in open invoices. This invoice isn't open." }
const invoices = () => stripe.invoices
const intentOf = async (id: string) => {
  const { payments } = await invoices().retrieve(id, { expand: ['payments.data.payment.payment_intent'] })
  return payments?.data[0]?.payment.payment_intent
}
async function pastDue() {
  const bought = await shop.buyAndOpen()
  await shop.advance(15 * day)
  expect(await shop.statusOf(bought.id)).toBe('past_due')
  return bought
}

describe('POST /v1/invoices/:id/pay with paid_out_of_band', () => {
  it('charges and attempts nothing, and only invoice.paid is sent', async () => {
    const { id, invoice } = await shop.buyAndOpen()
    const seen = (await shop.eventTypes()).length
    const paid = await invoices().pay(invoice.id, { paid_out_of_band: true })
    expect(paid).toMatchObject({
      status: 'paid',
      amount_paid: 4900,
      amount_paid_off_stripe: 4900,
      amount_remaining: 0,
      attempted: false,
      attempt_count: 0,
    })
    expect(await shop.eventsSince(seen)).toEqual(['payment_intent.canceled', 'invoice.paid'])
    expect(await intentOf(invoice.id)).toMatchObject({ status: 'canceled' })
    expect((await stripe.charges.list({ customer: shop.customer })).data).toEqual([])
    expect(await shop.statusOf(id)).toBe('active')
    await expectRefusal(stripe.creditNotes.create({ invoice: invoice.id, amount: 1, refund_amount: 1 }), {
      statusCode: 400,
      param: 'refund_amount',
    })
  })

  it('settles an invoice that was written off', async () => {
    const { invoice } = await shop.buyAndOpen()
    await invoices().markUncollectible(invoice.id)
    expect(await invoices().pay(invoice.id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' })
  })

  it('refuses a draft and what is paid or void already, and answers 501 with a card', async () => {
    const draft = await shop.latest((await shop.buy()).id)
    await expectRefusal(invoices().pay(draft.id, { paid_out_of_band: true }), notOpen)
    const { invoice } = await shop.buyAndOpen()
    const both = { paid_out_of_band: true, payment_method: 'pm_card_visa' }
    await expectRefusal(invoices().pay(invoice.id, both), { statusCode: 501 })
    await invoices().pay(invoice.id, { paid_out_of_band: true })
    const refused = invoices().pay(invoice.id, { paid_out_of_band: true })
    await expectRefusal(refused, { statusCode: 400, message: 'Invoice is already paid' })
    const other = await shop.buyAndOpen()
    await invoices().voidInvoice(other.invoice.id)
    await expectRefusal(invoices().pay(other.invoice.id, { paid_out_of_band: true }), notOpen)
  })
})

describe('POST /v1/invoices/:id/send', () => {
  it('finalizes a draft and sends it, and sends an open one again', async () => {
    const { id } = await shop.buy()
    const draft = await shop.latest(id)
    expect(await invoices().sendInvoice(draft.id)).toMatchObject({ status: 'open', due_date: draft.due_date })
    const seen = (await shop.eventTypes()).length
    expect((await invoices().sendInvoice(draft.id)).status).toBe('open')
    expect(await shop.eventsSince(seen)).toEqual(['invoice.sent'])
  })

  it('refuses one that is paid, one that is charged, and an unknown one', async () => {
    const { invoice } = await shop.buyAndOpen()
    await invoices().pay(invoice.id, { paid_out_of_band: true })
    await expectRefusal(invoices().sendInvoice(invoice.id), {
      statusCode: 400,
      message: expect.stringContaining('This invoice cannot be sent right now.'),
    })
    const card = await shop.customerWith('pm_card_visa')
    const charged = await shop.subscribe(card.id)
    await expectRefusal(invoices().sendInvoice(String(charged.latest_invoice)), {
      statusCode: 400,
      message: "You can only manually send an invoice if its collection method is 'send_invoice'.",
    })
    await expectRefusal(invoices().sendInvoice('in_unknown'), { statusCode: 404, param: 'invoice' })
  })
})

describe('POST /v1/invoices/:id/finalize of an invoice that is sent', () => {
  it('sends it with auto_advance, and leaves that to the caller without', async () => {
    const first = await shop.latest((await shop.buy()).id)
    const second = await shop.latest((await shop.buy()).id)
    const seen = (await shop.eventTypes()).length
    expect(await invoices().finalizeInvoice(first.id)).toMatchObject({ status: 'open', next_payment_attempt: null })
    await invoices().finalizeInvoice(second.id, { auto_advance: false })
    expect((await shop.eventsSince(seen)).filter((type) => type === 'invoice.sent')).toHaveLength(1)
  })
})

describe('POST /v1/invoices/:id/mark_uncollectible', () => {
  it('writes an open invoice off and makes its past-due subscription active', async () => {
    const { id, invoice } = await pastDue()
    const marked = await invoices().markUncollectible(invoice.id)
    expect(marked).toMatchObject({ status: 'uncollectible', amount_remaining: 4900, auto_advance: false })
    expect(marked.status_transitions.marked_uncollectible_at).toEqual(expect.any(Number))
    expect(await shop.statusOf(id)).toBe('active')
    const refused = invoices().markUncollectible(invoice.id)
    await expectRefusal(refused, { statusCode: 400, message: 'This invoice has already been marked uncollectible.' })
    const shown = (await shop.eventTypes()).slice(-2)
    expect(shown).toEqual(['invoice.marked_uncollectible', 'customer.subscription.updated'])
  })
})

describe('POST /v1/invoices/:id/void of an invoice that is sent', () => {
  it('settles it for good and makes its past-due subscription active', async () => {
    const { id, invoice } = await pastDue()
    expect(await invoices().voidInvoice(invoice.id)).toMatchObject({ status: 'void', amount_remaining: 4900 })
    expect(await shop.statusOf(id)).toBe('active')
    await expectRefusal(invoices().voidInvoice(invoice.id), notOpen)
  })
})

it.each([
  ['markUncollectible', notOpen],
  ['voidInvoice', { statusCode: 400, message: 'Invoices with `paid` payments cannot be voided.' }],
] as const)('%s refuses a draft and what is paid', async (action, paid) => {
  const draft = await shop.latest((await shop.buy()).id)
  await expectRefusal(invoices()[action](draft.id), notOpen)
  await invoices().sendInvoice(draft.id)
  await invoices().pay(draft.id, { paid_out_of_band: true })
  await expectRefusal(invoices()[action](draft.id), paid)
})
