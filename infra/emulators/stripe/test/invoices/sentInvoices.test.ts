import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { day, hour, openInvoiced } from '../support/openInvoiced.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const shop = eachTest(openInvoiced)
const stripe = () => shop().stripe

describe('POST /v1/subscriptions with collection_method=send_invoice', () => {
  it('is active at once without a card, its first invoice a draft that is finalized and sent an hour later', async () => {
    const seen = (await shop().eventTypes()).length
    const bought = await shop().buy({ payment_behavior: 'error_if_incomplete' })
    expect(bought).toMatchObject({
      status: 'active',
      collection_method: 'send_invoice',
      days_until_due: 14,
      pending_setup_intent: null,
    })
    const draft = await shop().latest(bought.id)
    expect(draft).toMatchObject({
      id: bought.latest_invoice,
      status: 'draft',
      auto_advance: true,
      collection_method: 'send_invoice',
      due_date: draft.created + 14 * day,
      automatically_finalizes_at: draft.created + hour,
      next_payment_attempt: null,
      number: null,
    })
    await shop().advance(hour)
    const open = await shop().latest(bought.id)
    expect(open).toMatchObject({
      status: 'open',
      amount_remaining: 4900,
      due_date: draft.due_date,
      attempted: false,
      attempt_count: 0,
      next_payment_attempt: null,
      payments: { data: [{ status: 'open' }] },
    })
    const due = new Date((open.due_date ?? 0) * 1000).toISOString().slice(0, 10)
    expect(await (await fetch(open.hosted_invoice_url ?? '')).text()).toContain(`Due ${due}`)
    expect(await shop().eventsSince(seen)).toEqual([
      'customer.updated',
      'invoice.created',
      'customer.subscription.created',
      'invoice.finalized',
      'payment_intent.created',
      'invoice.sent',
    ])
  })

  it('sends every renewal, and charges no card that the customer has', async () => {
    const { id: customer } = await shop().customerWith('pm_card_visa')
    await stripe().customers.update(customer, { email: 'grace@example.com' })
    const { id } = await shop().buy({ customer })
    await shop().advance(hour)
    const first = await shop().latest(id)
    await stripe().invoices.pay(first.id)
    await shop().advance(31 * day)
    const renewal = await shop().latest(id)
    expect(renewal).toMatchObject({ status: 'open', billing_reason: 'subscription_cycle', attempt_count: 0 })
    expect(renewal.due_date).toBe(renewal.created + 14 * day)
    expect(await shop().statusOf(id)).toBe('active')
    expect((await stripe().charges.list({ customer })).data).toHaveLength(1)
  })

  it('begins a trial without a card or a SetupIntent, and bills its end', async () => {
    const trial = await shop().buy({
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    })
    expect(trial).toMatchObject({ status: 'trialing', pending_setup_intent: null })
    expect(await shop().latest(trial.id)).toMatchObject({ status: 'paid', amount_due: 0 })
    await shop().advance(7 * day + hour)
    expect(await shop().latest(trial.id)).toMatchObject({ status: 'open', amount_due: 4900 })
    expect(await shop().statusOf(trial.id)).toBe('active')
  })

  it('pays an invoice of nothing, and takes a credit of the customer into account, once it is finalized', async () => {
    const free = await shop().buyAndOpen({ discounts: [{ coupon: 'ALL' }] })
    expect(free.invoice).toMatchObject({ status: 'paid', amount_due: 0 })
    const paid = await shop().buyAndOpen()
    await stripe().invoices.pay(paid.invoice.id, { paid_out_of_band: true })
    await stripe().creditNotes.create({ invoice: paid.invoice.id, amount: 1000, credit_amount: 1000 })
    const { invoice } = await shop().buyAndOpen()
    expect(invoice).toMatchObject({ status: 'open', starting_balance: -1000, amount_due: 3900, ending_balance: 0 })
    expect(await stripe().customers.retrieve(shop().customer)).toMatchObject({ balance: 0 })
  })

  it('needs days_until_due, which a subscription that charges refuses', async () => {
    const { customer, ota } = shop()
    const create = (terms: { collection_method?: 'send_invoice'; days_until_due?: number }) =>
      refusal(stripe().subscriptions.create({ customer, items: [{ price: ota }], ...terms }))
    expect(await create({ collection_method: 'send_invoice' })).toMatchObject({
      statusCode: 400,
      message: "If invoice collection method is 'send_invoice', you must specify 'days_until_due'.",
    })
    expect(await create({ days_until_due: 5 })).toMatchObject({
      statusCode: 400,
      message: "You can only specify 'days_until_due' if invoice collection method is 'send_invoice'.",
    })
    expect((await stripe().subscriptions.list({ customer })).data).toEqual([])
  })

  it('needs an email of the customer, and so does a change to it', async () => {
    const { id: customer } = await shop().customerWith('pm_card_visa')
    const missing = { statusCode: 400, message: expect.stringMatching(/^Missing email\./) }
    await expectRefusal(shop().buy({ customer }), missing)
    const charged = await shop().subscribe(customer)
    const terms = { collection_method: 'send_invoice', days_until_due: 5 } as const
    await expectRefusal(stripe().subscriptions.update(charged.id, terms), missing)
    await stripe().customers.update(customer, { email: 'grace@example.com' })
    expect(await stripe().subscriptions.update(charged.id, terms)).toMatchObject(terms)
  })
})

describe('POST /v1/subscriptions/:id', () => {
  it('changes how later invoices are collected, not those that are there', async () => {
    const { id, invoice } = await shop().buyAndOpen()
    const longer = await stripe().subscriptions.update(id, { days_until_due: 30 })
    expect(longer.days_until_due).toBe(30)
    expect((await shop().latest(id)).due_date).toBe(invoice.due_date)
    const charged = await stripe().subscriptions.update(id, { collection_method: 'charge_automatically' })
    expect(charged).toMatchObject({ collection_method: 'charge_automatically', days_until_due: null })
    expect((await shop().latest(id)).collection_method).toBe('send_invoice')
    const back = refusal(stripe().subscriptions.update(id, { collection_method: 'send_invoice' }))
    expect(await back).toMatchObject({ statusCode: 400, message: expect.stringContaining('you must specify') })
  })

  it('sends what an update bills at once, and the status stays', async () => {
    const { id } = await shop().buyAndOpen()
    const [item] = (await stripe().subscriptions.retrieve(id)).items.data
    const items = [{ id: item?.id ?? '', quantity: 3 }]
    await stripe().subscriptions.update(id, { items, proration_behavior: 'always_invoice' })
    expect(await shop().latest(id)).toMatchObject({ status: 'draft', billing_reason: 'subscription_update' })
    await shop().advance(hour)
    expect((await shop().latest(id)).status).toBe('open')
    expect(await shop().statusOf(id)).toBe('active')
    const params = { items, payment_behavior: 'pending_if_incomplete', billing_cycle_anchor: { type: 'now' } } as const
    await expectRefusal(stripe().subscriptions.update(id, params), { statusCode: 501 })
  })
})

describe('DELETE /v1/subscriptions/:id', () => {
  it('leaves a draft a draft and an open invoice open, and neither is sent again', async () => {
    const opened = await shop().buyAndOpen()
    const drafted = await shop().buy()
    await stripe().subscriptions.cancel(opened.id)
    await stripe().subscriptions.cancel(drafted.id)
    const seen = (await shop().eventTypes()).length
    await shop().advance(20 * day)
    expect(await shop().eventsSince(seen)).toEqual([])
    expect(await shop().latest(opened.id)).toMatchObject({ status: 'open', auto_advance: false })
    expect(await shop().latest(drafted.id)).toMatchObject({ status: 'draft', auto_advance: false })
  })

  it('sends what invoice_now bills', async () => {
    const { id } = await shop().buyAndOpen()
    const [item] = (await stripe().subscriptions.retrieve(id)).items.data
    await stripe().subscriptions.update(id, { items: [{ id: item?.id ?? '', quantity: 3 }] })
    await stripe().subscriptions.cancel(id, { invoice_now: true })
    const final = await shop().latest(id)
    expect(final).toMatchObject({ status: 'draft', billing_reason: 'subscription_update' })
    await shop().advance(hour)
    expect(await shop().latest(id)).toMatchObject({ id: final.id, status: 'open' })
    expect((await shop().eventTypes()).at(-1)).toBe('invoice.sent')
  })
})

describe('POST /v1/subscriptions/:id/resume', () => {
  it('sends the invoice of the new cycle', async () => {
    const { id } = await shop().buyAndOpen()
    await stripe().subscriptions.pause(id)
    expect(await stripe().subscriptions.resume(id)).toMatchObject({ status: 'active' })
    expect((await shop().latest(id)).status).toBe('draft')
    await shop().advance(hour)
    expect((await shop().latest(id)).status).toBe('open')
  })
})

describe('POST /v1/invoices/create_preview', () => {
  it('shows the due date of the next invoice', async () => {
    const { id } = await shop().buyAndOpen()
    const [item] = (await stripe().subscriptions.retrieve(id)).items.data
    const preview = await stripe().invoices.createPreview({ subscription: id })
    expect(preview).toMatchObject({ status: 'draft', collection_method: 'send_invoice', amount_due: 4900 })
    expect(preview.due_date).toBe((item?.current_period_end ?? 0) + 14 * day)
  })
})
