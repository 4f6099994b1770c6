import { afterAll, describe, expect, it } from '@jest/globals'
import { expectRefusal, mustAuthenticate, refusal } from '../support/refusal.ts'
import { goodCard, openTestAccount } from './openTestAccount.ts'
import { demandOf } from './paymentOf.ts'

const account = await openTestAccount()
const { stripe } = account
afterAll(() => account.close())

async function owing() {
  const { id: customer } = await account.customerWith('pm_card_chargeCustomerFail')
  const subscription = await stripe.subscriptions.create({ customer, items: [{ price: account.prices.paid }] })
  return { customer, subscription, ...(await demandOf(stripe, subscription)) }
}
const attach = async (card: string, customer: string) => (await stripe.paymentMethods.attach(card, { customer })).id
const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status

describe('POST /v1/invoices/:id/pay', () => {
  it('pays with another card, and the subscription becomes active', async () => {
    const { customer, subscription, invoice } = await owing()
    const card = await attach('pm_card_mastercard', customer)
    const paid = await stripe.invoices.pay(invoice.id, { payment_method: card })
    expect([paid.status, paid.amount_paid, paid.amount_remaining]).toEqual(['paid', 4900, 0])
    expect(await statusOf(subscription.id)).toBe('active')
  })

  it('answers 402 when declined again, and leaves invoice and subscription unchanged', async () => {
    const { subscription, invoice } = await owing()
    await expectRefusal(stripe.invoices.pay(invoice.id), {
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('open')
    expect(await statusOf(subscription.id)).toBe('incomplete')
  })

  it('answers 402 when the buyer has to authenticate', async () => {
    const { customer, invoice, intent } = await owing()
    const card = await attach('pm_card_authenticationRequired', customer)
    await expectRefusal(stripe.invoices.pay(invoice.id, { payment_method: card, off_session: false }), mustAuthenticate)
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action')
  })

  it("refuses another customer's card, and an invoice that is paid", async () => {
    const { customer, invoice } = await owing()
    const { id: other } = await account.customerWith()
    const foreign = await attach(goodCard, other)
    expect((await refusal(stripe.invoices.pay(invoice.id, { payment_method: foreign }))).statusCode).toBe(400)
    await stripe.invoices.pay(invoice.id, { payment_method: await attach(goodCard, customer) })
    const again = await refusal(stripe.invoices.pay(invoice.id))
    expect(again.statusCode).toBe(400)
    expect(again.message).toMatch(/already paid/)
  })
})
