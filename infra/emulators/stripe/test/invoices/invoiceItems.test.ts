import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { invoiceOf } from '../support/openEmulator.ts'
import { day, openInvoiced } from '../support/openInvoiced.ts'
import { expectRefusal } from '../support/refusal.ts'

const shop = await openInvoiced()
const { stripe } = shop
afterAll(async () => {
  expect(shop.core.violations()).toEqual([])
  await shop.close()
})

const setUpFee = { amount: 2000, currency: 'usd', description: 'Set-up' }
const newCustomer = async () => (await shop.customerWith('pm_card_visa')).id
const addItem = (customer: string, more: Stripe.InvoiceItemCreateParams = {}) =>
  stripe.invoiceItems.create({ customer, ...setUpFee, ...more })
const amounts = (invoice: Stripe.Invoice) => invoice.lines.data.map(({ amount }) => amount)

describe('an invoice item', () => {
  it('waits for the next invoice of its customer', async () => {
    const customer = await newCustomer()
    const item = await addItem(customer, { metadata: { order: '7' } })
    expect(item).toMatchObject({ customer, invoice: null, amount: 2000, quantity: 1, metadata: { order: '7' } })
    expect((await stripe.invoiceItems.list({ customer, pending: true })).data.map(({ id }) => id)).toEqual([item.id])
    expect(await stripe.invoiceItems.retrieve(item.id)).toMatchObject({ id: item.id })
    expect((await shop.eventTypes()).at(-1)).toBe('invoiceitem.created')
  })

  it('has a price of its own, which is not for sale', async () => {
    const item = await addItem(await newCustomer(), { expand: ['pricing.price_details.price'] })
    const { price, product } = item.pricing?.price_details ?? {}
    expect(price).toMatchObject({ active: false, type: 'one_time', unit_amount: 2000, product })
    expect(await stripe.products.retrieve(String(product))).toMatchObject({ active: false, name: 'Set-up' })
  })

  it('costs a price that recurs not, as often as it is asked for', async () => {
    const customer = await newCustomer()
    const { id: price } = await stripe.prices.create({ product: 'prod_ota', unit_amount: 700, currency: 'usd' })
    const item = await stripe.invoiceItems.create({ customer, pricing: { price }, quantity: 3 })
    expect(item).toMatchObject({ amount: 2100, quantity: 3, currency: 'usd', description: null })
    const data = { currency: 'usd', product: 'prod_ota', unit_amount: 50 }
    expect(await stripe.invoiceItems.create({ customer, price_data: data })).toMatchObject({ amount: 50 })
    await expectRefusal(stripe.invoiceItems.create({ customer, pricing: { price: shop.ota } }), {
      statusCode: 400,
      message: expect.stringContaining('only accepts prices with `type=one_time`'),
    })
  })

  it.each<[string, Stripe.InvoiceItemCreateParams, object]>([
    ['no cost', { currency: 'usd' }, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { amount: 5 }, { code: 'parameter_missing', param: 'currency' }],
    ['two costs', { ...setUpFee, pricing: { price: 'price_x' } }, { code: 'parameters_exclusive' }],
    ['an amount and a quantity', { ...setUpFee, quantity: 2 }, { code: 'parameters_exclusive' }],
    ['a subscription of another', { ...setUpFee, subscription: 'other' }, { param: 'subscription' }],
    ['discounts', { ...setUpFee, discounts: [{ coupon: 'HALF' }] }, { statusCode: 501, param: 'discounts' }],
  ])('is refused with %s', async (_case, sent, refused) => {
    const { id: other } = await shop.buy()
    const named = sent.subscription === undefined ? sent : { ...sent, subscription: other }
    const create = stripe.invoiceItems.create({ customer: await newCustomer(), ...named })
    await expectRefusal(create, { statusCode: 400, ...refused })
  })

  it('keeps its customer to one currency', async () => {
    const customer = await newCustomer()
    await addItem(customer)
    const refused = { statusCode: 400, message: expect.stringContaining('cannot combine currencies') }
    await expectRefusal(addItem(customer, { currency: 'eur' }), refused)
    const { id: price } = await shop.newPrice(900, { currency: 'eur' })
    await expectRefusal(stripe.subscriptions.create({ customer, items: [{ price }] }), refused)
  })

  it('changes and goes while it is pending or on a draft, and not later', async () => {
    const customer = await newCustomer()
    const item = await addItem(customer)
    expect(await stripe.invoiceItems.update(item.id, { amount: 2500, description: 'More' })).toMatchObject({
      amount: 2500,
      description: 'More',
    })
    const draft = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
    expect(draft.total).toBe(2500)
    await stripe.invoiceItems.update(item.id, { amount: 1000 })
    const second = await addItem(customer, { invoice: draft.id, amount: 300 })
    const changed = await stripe.invoices.retrieve(draft.id)
    expect([changed.total, changed.amount_due, ...amounts(changed)]).toEqual([1300, 1300, 1000, 300])
    expect(changed.lines.data[0]).toMatchObject({
      id: draft.lines.data[0]?.id,
      parent: { type: 'invoice_item_details', invoice_item_details: { invoice_item: item.id, subscription: null } },
    })
    expect(await stripe.invoiceItems.del(second.id)).toEqual(expect.objectContaining({ deleted: true }))
    expect((await shop.eventTypes()).slice(-2)).toEqual(['invoice.updated', 'invoiceitem.deleted'])
    await expectRefusal(stripe.invoiceItems.retrieve(second.id), { statusCode: 404 })
    const open = await stripe.invoices.finalizeInvoice(draft.id)
    expect([open.total, ...amounts(open)]).toEqual([1000, 1000])
    const refused = { statusCode: 400, code: 'invoice_not_editable' }
    await expectRefusal(stripe.invoiceItems.update(item.id, { amount: 1 }), refused)
    await expectRefusal(stripe.invoiceItems.del(item.id), refused)
    await expectRefusal(addItem(customer, { invoice: draft.id }), refused)
  })

  it('is gone with its customer', async () => {
    const customer = await newCustomer()
    const item = await addItem(customer)
    await stripe.customers.del(customer)
    await expectRefusal(stripe.invoiceItems.retrieve(item.id), { statusCode: 404 })
  })
})

describe('the invoices of a subscription', () => {
  it('bill what waits for them: the first, also of a trial, and each renewal', async () => {
    const customer = await newCustomer()
    await addItem(customer)
    const bought = await shop.subscribe(customer, { trial_period_days: 7, expand: ['latest_invoice'] })
    expect([invoiceOf(bought).amount_paid, ...amounts(invoiceOf(bought))]).toEqual([2000, 2000, 0])
    await addItem(customer, { amount: 150, subscription: bought.id })
    await addItem(customer, { amount: -100, description: 'Refund' })
    await shop.advance(7 * day + 3600)
    const renewal = await shop.latest(bought.id)
    expect([renewal.status, renewal.total, ...amounts(renewal)]).toEqual(['paid', 4950, -100, 150, 4900])
    expect((await stripe.invoiceItems.list({ customer, invoice: renewal.id })).data).toHaveLength(2)
  })

  it('do not bill what waits for another subscription', async () => {
    const customer = await newCustomer()
    const first = await shop.subscribe(customer)
    await addItem(customer, { subscription: first.id })
    const second = await shop.subscribe(customer, { items: [{ price: shop.free }] })
    expect((await shop.latest(second.id)).lines.data).toHaveLength(1)
  })

  it('take a coupon off items, unless they are not discountable', async () => {
    const customer = await newCustomer()
    await addItem(customer)
    await addItem(customer, { amount: 1000, discountable: false })
    await addItem(customer, { amount: -500 })
    const bought = await shop.subscribe(customer, { discounts: [{ coupon: 'HALF' }], expand: ['latest_invoice'] })
    expect(invoiceOf(bought).total).toBe((4900 + 2000) / 2 + 1000 - 500)
  })

  it('take no items while they are drafts with discounts, which is not covered', async () => {
    const customer = await newCustomer()
    await shop.subscribe(customer, { discounts: [{ coupon: 'ALL' }] })
    await shop.advance(31 * day)
    const [draft] = (await stripe.invoices.list({ customer, status: 'draft' })).data
    await expectRefusal(addItem(customer, { invoice: draft?.id ?? '' }), { statusCode: 501, param: 'invoice' })
  })

  it('take items while they are drafts, with their tax', async () => {
    const address = { country: 'DE' }
    const { id: customer } = await shop.customerWith('pm_card_visa', { address })
    const bought = await shop.subscribe(customer, { automatic_tax: { enabled: true } })
    await shop.advance(31 * day)
    const draft = (await stripe.invoices.list({ customer, status: 'draft' })).data[0]
    const { id } = draft ?? (await shop.latest(bought.id))
    await addItem(customer, { invoice: id, amount: 1000 })
    const taxed = await stripe.invoices.retrieve(id)
    expect([taxed.subtotal, taxed.total_excluding_tax, taxed.total]).toEqual([5900, 5900, 5900 + 931 + 190])
    expect(taxed.total_taxes?.map(({ amount }) => amount)).toEqual([1121])
  })
})
