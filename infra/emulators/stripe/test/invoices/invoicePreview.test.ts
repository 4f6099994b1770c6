import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { invoiceOf, openEmulator, withPayment } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

// A preview and its purchase are of one second.
const emulator = await openEmulator({ now: () => 1_800_000_000 })
const { stripe } = emulator
afterAll(() => emulator.close())

/** Prices of products of their own. */
const extras = await Promise.all(
  [333, 1999, 7].map(async (unit_amount) => {
    const { id: product } = await stripe.products.create({ name: `P${unit_amount}` })
    return { price: (await emulator.newPrice(unit_amount, { product })).id, product }
  }),
)
const items: { price: string; quantity?: number }[] = [
  { price: emulator.ota, quantity: 3 },
  ...extras.map(({ price }) => ({ price })),
]
const applies_to = { products: extras.slice(0, 2).map(({ product }) => product) }
for (const [id, terms] of Object.entries({
  ODD: { percent_off: 33.33 },
  HUGE: { amount_off: 1_000_000, currency: 'usd' },
  SOME: { amount_off: 1001, currency: 'usd' },
  ONLY: { percent_off: 12.5, applies_to },
  OVER: { percent_off: 10, redeem_by: emulator.core.now() + 60 },
}))
  await stripe.coupons.create({ id, duration: 'once', ...terms })

const preview = (params: Stripe.InvoiceCreatePreviewParams) => stripe.invoices.createPreview(params)

/** What of an invoice decides about money. */
function money(invoice: Stripe.Invoice) {
  const off = (rows: { amount: number }[] | null) => (rows ?? []).map(({ amount }) => amount)
  const { currency, subtotal, total, amount_due, total_excluding_tax } = invoice
  return {
    currency,
    subtotal,
    total,
    amount_due,
    total_excluding_tax,
    off: off(invoice.total_discount_amounts),
    tax: off(invoice.total_taxes),
    lines: invoice.lines.data.map((line) => [line.amount, off(line.discount_amounts), off(line.taxes), line.period]),
  }
}

describe('Given a preview of a subscription', () => {
  it.each<[string, number, Partial<Stripe.InvoiceCreatePreviewParams & Stripe.SubscriptionCreateParams>]>([
    ['one line', 1, {}],
    ['four lines', 4, {}],
    ['an odd percentage', 4, { discounts: [{ coupon: 'ODD' }] }],
    ['an amount beyond the price', 4, { discounts: [{ coupon: 'HUGE' }] }],
    ['an amount over several lines', 4, { discounts: [{ coupon: 'SOME' }] }],
    ['a coupon for some products', 4, { discounts: [{ coupon: 'ONLY' }] }],
    ['two coupons', 4, { discounts: [{ coupon: 'ODD' }, { coupon: 'SOME' }] }],
    ['automatic tax', 4, { discounts: [{ coupon: 'ODD' }], automatic_tax: { enabled: true } }],
  ])('shows what is then charged to the cent: %s', async (_case, lines, terms) => {
    const { id: customer } = await emulator.customerWith('pm_card_visa', { address: { country: 'DE' } })
    const wanted = items.slice(0, lines)
    const shown = await preview({ customer, subscription_details: { items: wanted }, ...terms })
    const bought = await emulator.subscribe(customer, { items: wanted, expand: withPayment, ...terms })
    expect(money(invoiceOf(bought))).toEqual(money(shown))
    expect(invoiceOf(bought).amount_paid).toBe(shown.amount_due)
  })

  it('answers a draft under an id of its own that cannot be read afterwards', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const params = { customer, subscription_details: { items }, discounts: [{ coupon: 'ODD' }], expand: ['discounts'] }
    const shown = await preview(params)
    expect(shown).toMatchObject({ object: 'invoice', status: 'draft', number: null, customer, auto_advance: true })
    expect(shown.id).toMatch(/^upcoming_in_\w{24}$/)
    expect(shown.discounts).toMatchObject([{ object: 'discount', source: { coupon: 'ODD' } }])
    await expectRefusal(stripe.invoices.retrieve(shown.id ?? ''), { statusCode: 404 })
  })

  it('writes nothing, and is logged', async () => {
    const before = emulator.core.snapshot()
    emulator.core.control.clearRequests()
    await preview({
      customer_details: { address: { country: 'GB' }, tax_ids: [{ type: 'gb_vat', value: 'GB123456789' }] },
      automatic_tax: { enabled: true },
      subscription_details: { items },
      discounts: [{ coupon: 'HALF' }],
    })
    const { keys: _old, ...rows } = before.rows
    const { keys: _new, ...after } = emulator.core.snapshot().rows
    expect(after).toEqual(rows)
    expect(emulator.core.control.requests()).toMatchObject([{ path: '/v1/invoices/create_preview', status: 200 }])
  })

  it('needs no customer, and takes its details in place of those of a known one', async () => {
    expect(await preview({ subscription_details: { items: items.slice(0, 1) } })).toMatchObject({ total: 14_700 })
    const { id: customer } = await stripe.customers.create({ address: { country: 'DE' } })
    const terms = { customer, automatic_tax: { enabled: true }, subscription_details: { items: items.slice(0, 1) } }
    const totals = [
      await preview(terms),
      await preview({ ...terms, customer_details: { address: { country: 'GB' } } }),
      await preview({ ...terms, customer_details: { tax_exempt: 'exempt' } }),
      await preview({ ...terms, customer_details: { tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }] } }),
    ]
    expect(totals.map(({ total }) => total)).toEqual([17_493, 17_640, 14_700, 14_700])
  })

  it('is not refused by the lock of its customer', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    emulator.core.control.changeSettings({ customer_lock: true, customer_lock_wait_ms: 0 })
    const buying = stripe.subscriptions.create({ customer, items: items.slice(0, 1) })
    const shown = await preview({ customer, subscription_details: { items } })
    emulator.core.control.changeSettings({ customer_lock: false })
    expect([shown.status, (await buying).status]).toEqual(['draft', 'active'])
  })

  it.each<[string, Stripe.InvoiceCreatePreviewParams, object]>([
    [
      'an unknown price',
      { subscription_details: { items: [{ price: 'price_unknown' }] } },
      { code: 'resource_missing', param: 'subscription_details[items][0][price]' },
    ],
    [
      'an unknown customer',
      { customer: 'cus_unknown', subscription_details: { items: [{ price: 'x' }] } },
      { code: 'resource_missing', param: 'customer' },
    ],
    ['an unknown subscription', { subscription: 'sub_unknown' }, { code: 'resource_missing', param: 'subscription' }],
    ['missing items', {}, { code: 'parameter_missing', param: 'subscription_details[items]' }],
    ['a line that is not covered', { preview_mode: 'recurring' }, { statusCode: 501 }],
  ])('refuses %s', async (_case, params, expected) => {
    await expectRefusal(preview(params), { statusCode: 400, ...expected })
  })

  it('refuses an unknown, an expired and a used up coupon, and automatic tax without an address', async () => {
    const details = { subscription_details: { items } }
    const refused = preview({ ...details, discounts: [{ coupon: 'NOPE' }] })
    await expectRefusal(refused, { statusCode: 400, code: 'resource_missing', param: 'discounts[0][coupon]' })
    await emulator.advance(61)
    const again = preview({ ...details, discounts: [{ coupon: 'OVER' }] })
    await expectRefusal(again, { statusCode: 400, code: 'coupon_expired', param: 'discounts[0][coupon]' })
    const late = preview({ ...details, automatic_tax: { enabled: true } })
    await expectRefusal(late, { statusCode: 400, code: 'customer_tax_location_invalid' })
  })
})

describe('Given a preview of the next invoice', () => {
  it('shows the renewal as the clock then bills it, of a subscription or of its customer', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const bought = await emulator.buy('pm_card_visa', { customer, items, discounts: [{ coupon: 'ODD' }] })
    const shown = await preview({ subscription: bought.id })
    expect(shown).toMatchObject({ billing_reason: 'subscription_cycle', total_discount_amounts: [] })
    expect(money(await preview({ customer }))).toEqual(money(shown))
    await emulator.advance(32 * 86_400)
    const [renewal] = (await stripe.invoices.list({ subscription: bought.id, limit: 1 })).data
    if (renewal === undefined) throw new Error('no renewal')
    expect(money(renewal)).toEqual(money(shown))
  })

  it('answers 404 where the subscription will not renew', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const bought = await emulator.buy('pm_card_visa', { customer, cancel_at_period_end: true })
    for (const params of [{ subscription: bought.id }, { customer }]) {
      await expectRefusal(preview(params), { statusCode: 404, code: 'invoice_upcoming_none' })
    }
  })
})
