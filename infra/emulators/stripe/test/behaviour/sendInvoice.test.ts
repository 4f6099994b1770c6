import { afterAll, describe, expect, it } from '@jest/globals'
import { refusal } from '../support/refusal.ts'
import { openTestAccount } from './openTestAccount.ts'

const day = 86_400
const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function customerOf(how: { clocked?: boolean } = {}) {
  const { id } = await account.customerWith(undefined, how)
  await stripe.customers.update(id, { email: 'behaviour@example.com' })
  return id
}

/** A new subscription whose invoices are sent, and its first invoice. */
async function sold(customer: string, days_until_due = 14) {
  const items = [{ price: account.prices.paid }]
  const terms = { collection_method: 'send_invoice', days_until_due } as const
  const subscription = await stripe.subscriptions.create({ customer, items, ...terms })
  const invoice = await stripe.invoices.retrieve(String(subscription.latest_invoice))
  return { subscription, invoice }
}
const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status

describe('POST /v1/subscriptions with collection_method=send_invoice', () => {
  it('is active at once, and its first invoice a draft with a due date', async () => {
    const { subscription, invoice } = await sold(await customerOf())
    expect([subscription.status, subscription.days_until_due]).toEqual(['active', 14])
    expect(invoice).toMatchObject({ status: 'draft', auto_advance: true, next_payment_attempt: null })
    expect((invoice.due_date ?? 0) - invoice.created).toBe(14 * day)
  })

  it('needs days_until_due and an email of the customer', async () => {
    const { prices } = account
    const create = (customer: string, terms: object) =>
      refusal(stripe.subscriptions.create({ customer, items: [{ price: prices.paid }], ...terms }))
    const customer = await customerOf()
    const without = await create(customer, { collection_method: 'send_invoice' })
    expect(without).toMatchObject({ statusCode: 400, message: expect.stringContaining('you must specify') })
    expect(await create(customer, { days_until_due: 5 })).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("You can only specify 'days_until_due'"),
    })
    const { id } = await account.customerWith()
    const nameless = await create(id, { collection_method: 'send_invoice', days_until_due: 5 })
    expect(nameless).toMatchObject({ statusCode: 400, message: expect.stringContaining('Missing email') })
  })

  it('is past due when its invoice is, and active again once that is paid out of band', async () => {
    const customer = await customerOf({ clocked: true })
    const { subscription, invoice } = await sold(customer, 3)
    await account.advance(customer, 2 * day)
    expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('open')
    expect(await statusOf(subscription.id)).toBe('active')
    await account.advance(customer, 2 * day)
    expect(await statusOf(subscription.id)).toBe('past_due')
    await stripe.invoices.pay(invoice.id, { paid_out_of_band: true })
    expect(await statusOf(subscription.id)).toBe('active')
  })
})

describe('An invoice that is sent', () => {
  it('is paid out of band without an attempt, and then settled', async () => {
    const { invoice } = await sold(await customerOf())
    const { invoices } = stripe
    expect((await invoices.sendInvoice(invoice.id)).status).toBe('open')
    const paid = await invoices.pay(invoice.id, { paid_out_of_band: true })
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 4900, attempted: false, attempt_count: 0 })
    expect((await refusal(invoices.pay(invoice.id))).message).toMatch(/already paid/)
    expect((await refusal(invoices.voidInvoice(invoice.id))).statusCode).toBe(400)
    expect((await refusal(invoices.sendInvoice(invoice.id))).statusCode).toBe(400)
  })

  it('is written off, and can be voided after that', async () => {
    const { invoice } = await sold(await customerOf())
    const { invoices } = stripe
    await invoices.finalizeInvoice(invoice.id)
    expect((await invoices.markUncollectible(invoice.id)).status).toBe('uncollectible')
    expect((await refusal(invoices.markUncollectible(invoice.id))).statusCode).toBe(400)
    expect((await invoices.voidInvoice(invoice.id)).status).toBe('void')
    expect((await refusal(invoices.pay(invoice.id, { paid_out_of_band: true }))).statusCode).toBe(400)
  })
})
