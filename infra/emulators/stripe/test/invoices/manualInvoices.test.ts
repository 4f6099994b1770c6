import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { day, hour, openInvoiced } from '../support/openInvoiced.ts'
import { expectRefusal } from '../support/refusal.ts'

const shop = await openInvoiced()
const { stripe } = shop
afterAll(async () => {
  expect(shop.core.violations()).toEqual([])
  await shop.close()
})

/** A draft of 2000 cents for a new customer with this default card. */
async function drafted(more: Partial<Stripe.InvoiceCreateParams> = {}, card?: string) {
  const { id: customer } = card
    ? await shop.customerWith(card, { email: 'ada@example.com' })
    : await stripe.customers.create({ email: 'ada@example.com' })
  await stripe.invoiceItems.create({ customer, amount: 2000, currency: 'usd' })
  return stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include', ...more })
}
const read = (id: string) => stripe.invoices.retrieve(id)

describe('POST /v1/invoices', () => {
  it('drafts an invoice, empty unless what is pending is included', async () => {
    const empty = await stripe.invoices.create({ customer: shop.customer, description: 'Extras' })
    expect(empty).toMatchObject({
      status: 'draft',
      billing_reason: 'manual',
      auto_advance: false,
      automatically_finalizes_at: null,
      description: 'Extras',
      parent: null,
      currency: 'usd',
      total: 0,
    })
    expect(empty.lines.data).toEqual([])
    const full = await drafted()
    expect([full.total, full.amount_due, full.lines.data.length]).toEqual([2000, 2000, 1])
    expect((await shop.eventTypes()).at(-1)).toBe('invoice.created')
  })

  it.each<[string, Stripe.InvoiceCreateParams, object]>([
    ['an unknown customer', { customer: 'cus_x' }, { code: 'resource_missing', param: 'customer' }],
    ['a due date for a card', { due_date: 4e9 }, { message: expect.stringContaining("'due_date'") }],
    ['a due date that is past', { due_date: 1, collection_method: 'send_invoice' }, { param: 'due_date' }],
    ['two due dates', { due_date: 4e9, days_until_due: 3 }, { code: 'parameters_exclusive' }],
    ['no due date', { collection_method: 'send_invoice' }, { message: expect.stringContaining("'days_until_due'") }],
    ['a card of another', { default_payment_method: 'pm_x' }, { param: 'default_payment_method' }],
    ['discounts', { discounts: [{ coupon: 'HALF' }] }, { statusCode: 501, param: 'discounts' }],
    ['a subscription', { subscription: 'sub_x' }, { statusCode: 501, param: 'subscription' }],
  ])('refuses %s', async (_case, sent, refused) => {
    await expectRefusal(stripe.invoices.create({ customer: shop.customer, ...sent }), { statusCode: 400, ...refused })
  })

  it('refuses an invoice of nobody', async () => {
    await expectRefusal(stripe.invoices.create({}), { statusCode: 400, code: 'parameter_missing', param: 'customer' })
  })

  it('taxes the lines if asked for', async () => {
    const { id: customer } = await stripe.customers.create({ address: { country: 'DE' } })
    await stripe.invoiceItems.create({ customer, amount: 2000, currency: 'usd' })
    const automatic_tax = { enabled: true }
    const draft = await stripe.invoices.create({ customer, automatic_tax, pending_invoice_items_behavior: 'include' })
    expect([draft.total, draft.total_excluding_tax]).toEqual([2380, 2000])
  })
})

describe('an invoice by hand', () => {
  it('is finalized and charged by itself with auto_advance', async () => {
    const { id } = await drafted({ auto_advance: true }, 'pm_card_visa')
    await shop.advance(hour)
    const paid = await read(id)
    expect([paid.status, paid.amount_paid]).toEqual(['paid', 2000])
    const types = (await shop.eventTypes()).slice(-8)
    expect(types).toEqual(expect.arrayContaining(['invoice.finalized', 'charge.succeeded', 'invoice.paid']))
  })

  it('waits for its finalization and its payment without', async () => {
    const { id } = await drafted({}, 'pm_card_visa')
    await shop.advance(2 * day)
    expect((await read(id)).status).toBe('draft')
    const open = await stripe.invoices.finalizeInvoice(id)
    expect(open).toMatchObject({ status: 'open', next_payment_attempt: null, number: expect.any(String) })
    await shop.advance(2 * day)
    expect((await stripe.invoices.pay(id)).status).toBe('paid')
  })

  it('is tried again if its card declines, and stays open after the last attempt', async () => {
    const { id } = await drafted({ auto_advance: true }, 'pm_card_chargeCustomerFail')
    await shop.advance(hour)
    expect(await read(id)).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: expect.any(Number) })
    await shop.advance(60 * day)
    const given = await read(id)
    expect(given).toMatchObject({ status: 'open', next_payment_attempt: null })
    expect(given.attempt_count).toBeGreaterThan(2)
  })

  it('is finalized by a payment of its draft, with the card that is named or its own', async () => {
    const { id, customer } = await drafted()
    const { id: card } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: String(customer) })
    await expectRefusal(stripe.invoices.pay(id), { statusCode: 400, code: 'resource_missing' })
    expect((await read(id)).status).toBe('draft')
    expect(await stripe.invoices.pay(id, { payment_method: card })).toMatchObject({ status: 'paid', amount_paid: 2000 })
    const other = await drafted({ customer: String(customer), default_payment_method: card })
    expect((await stripe.invoices.pay(other.id)).status).toBe('paid')
    const free = await stripe.invoices.create({ customer: shop.customer })
    expect((await stripe.invoices.pay(free.id)).status).toBe('paid')
  })

  it('stays open, and is declined, if the card of its draft declines', async () => {
    const { id } = await drafted({}, 'pm_card_chargeCustomerFail')
    await expectRefusal(stripe.invoices.pay(id), { statusCode: 402, code: 'card_declined' })
    expect(await read(id)).toMatchObject({ status: 'open', attempt_count: 1 })
  })

  it('is sent, reminded of and due as named', async () => {
    const due_date = shop.core.now() + 7 * day
    const { id } = await drafted({ collection_method: 'send_invoice', due_date })
    const sent = await stripe.invoices.sendInvoice(id)
    expect(sent).toMatchObject({ status: 'open', due_date, hosted_invoice_url: expect.any(String) })
    expect((await shop.eventTypes()).at(-1)).toBe('invoice.sent')
    await shop.advance(15 * day)
    expect((await stripe.invoices.list({ due_date: { lte: due_date } })).data.map((row) => row.id)).toContain(id)
    expect(await stripe.invoices.pay(id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' })
  })

  it('is voided or written off when it is open', async () => {
    const { id } = await stripe.invoices.finalizeInvoice((await drafted()).id)
    expect((await stripe.invoices.markUncollectible(id)).status).toBe('uncollectible')
    expect((await stripe.invoices.voidInvoice(id)).status).toBe('void')
  })

  it('is credited like any other', async () => {
    const { id } = await stripe.invoices.finalizeInvoice((await drafted()).id)
    const line = { type: 'custom_line_item' as const, unit_amount: 500, quantity: 1, description: 'Delay' }
    await stripe.creditNotes.create({ invoice: id, lines: [line] })
    expect((await read(id)).amount_remaining).toBe(1500)
  })
})

describe('POST /v1/invoices/:id', () => {
  it('changes a draft', async () => {
    const { id } = await drafted()
    const later = { collection_method: 'send_invoice', days_until_due: 30, auto_advance: true } as const
    const changed = await stripe.invoices.update(id, { ...later, metadata: { a: '1' }, footer: 'Thank you' })
    expect(changed).toMatchObject({
      collection_method: 'send_invoice',
      due_date: shop.core.now() + 30 * day,
      automatically_finalizes_at: shop.core.now() + hour,
      footer: 'Thank you',
      metadata: { a: '1' },
    })
    expect((await shop.eventTypes()).at(-1)).toBe('invoice.updated')
    const kept = await stripe.invoices.update(id, { collection_method: 'send_invoice', auto_advance: false })
    expect(kept).toMatchObject({ due_date: changed.due_date, automatically_finalizes_at: null })
    const charged = await stripe.invoices.update(id, { collection_method: 'charge_automatically' })
    expect(charged.due_date).toBeNull()
  })

  it('lets an open invoice be charged by itself, or no more', async () => {
    const { id } = await stripe.invoices.finalizeInvoice((await drafted({}, 'pm_card_visa')).id)
    const charged = await stripe.invoices.update(id, { auto_advance: true })
    expect(charged.next_payment_attempt).toBe(shop.core.now() + hour)
    expect((await stripe.invoices.update(id, { auto_advance: false })).next_payment_attempt).toBeNull()
    await stripe.invoices.update(id, { auto_advance: true })
    await shop.advance(hour)
    expect((await read(id)).status).toBe('paid')
  })

  it('changes no money of an invoice that is finalized', async () => {
    const { id } = await stripe.invoices.finalizeInvoice((await drafted()).id)
    expect(await stripe.invoices.update(id, { metadata: { b: '2' } })).toMatchObject({ metadata: { b: '2' } })
    const refused = { statusCode: 400, code: 'invoice_not_editable', param: 'days_until_due' }
    await expectRefusal(stripe.invoices.update(id, { days_until_due: 3 }), refused)
  })
})

describe('The lines of a draft', () => {
  it('are added, as new items or as items that were pending, and taken off', async () => {
    const { id, customer } = await drafted()
    const pending = await stripe.invoiceItems.create({ customer: String(customer), amount: 70, currency: 'usd' })
    const seen = (await shop.eventTypes()).length
    const added = await stripe.invoices.addLines(id, {
      lines: [{ amount: 500, description: 'Delay' }, { invoice_item: pending.id }],
      invoice_metadata: { order: '7' },
    })
    expect([added.total, added.metadata, ...added.lines.data.map((line) => line.amount)]).toEqual([
      2570,
      { order: '7' },
      2000,
      500,
      70,
    ])
    expect(await shop.eventsSince(seen)).toEqual(['invoiceitem.created', 'invoice.updated'])
    const [first, second, third] = added.lines.data.map((line) => line.id)
    const lines = [
      { id: first ?? '', behavior: 'delete' as const },
      { id: third ?? '', behavior: 'unassign' as const },
    ]
    const left = await stripe.invoices.removeLines(id, { lines })
    expect([left.total, left.lines.data.map((line) => line.id)]).toEqual([500, [second]])
    expect(await stripe.invoiceItems.retrieve(pending.id)).toMatchObject({ invoice: null })
    expect((await stripe.invoiceItems.list({ customer: String(customer) })).data).toHaveLength(2)
  })

  it('are those of its customer, and stay as they are when it is finalized', async () => {
    const { id } = await drafted()
    const other = await stripe.invoiceItems.create({ customer: shop.customer, amount: 70, currency: 'usd' })
    const foreign = stripe.invoices.addLines(id, { lines: [{ invoice_item: other.id }] })
    await expectRefusal(foreign, { statusCode: 400, param: 'lines[0][invoice_item]' })
    const unknown = stripe.invoices.removeLines(id, { lines: [{ id: 'il_x', behavior: 'delete' }] })
    await expectRefusal(unknown, { code: 'resource_missing', param: 'lines[0][id]' })
    await stripe.invoices.finalizeInvoice(id)
    const late = stripe.invoices.addLines(id, { lines: [{ amount: 5 }] })
    await expectRefusal(late, { statusCode: 400, code: 'invoice_not_editable' })
  })
})

describe('DELETE /v1/invoices/:id', () => {
  it('deletes a draft with its items', async () => {
    const { id, customer } = await drafted()
    expect(await stripe.invoices.del(id)).toMatchObject({ id, deleted: true })
    expect((await shop.eventTypes()).at(-1)).toBe('invoice.deleted')
    await expectRefusal(read(id), { statusCode: 404 })
    expect((await stripe.invoiceItems.list({ customer: String(customer) })).data).toEqual([])
  })

  it('refuses an invoice that is finalized, and the draft of a subscription', async () => {
    const { id } = await stripe.invoices.finalizeInvoice((await drafted()).id)
    await expectRefusal(stripe.invoices.del(id), { statusCode: 400, code: 'invoice_not_editable' })
    const draft = await shop.latest((await shop.buy()).id)
    await expectRefusal(stripe.invoices.del(draft.id), {
      statusCode: 400,
      message: expect.stringContaining('subscriptions'),
    })
  })
})
