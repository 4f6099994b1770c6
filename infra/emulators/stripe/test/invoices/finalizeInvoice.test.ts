import { afterAll, describe, expect, it } from '@jest/globals'
import { invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, mustAuthenticate } from '../support/refusal.ts'

const emulator = await openEmulator({ settings: { afterRetries: 'unpaid', retryDays: [1] } })
const { stripe } = emulator
afterAll(() => emulator.close())

const month = 32 * 86_400
const customerWith = async () => (await emulator.customerWith('pm_card_visa')).id

describe('Given a renewal whose card wants 3-D Secure', () => {
  it('is past due with an open invoice, and is paid once the buyer authenticates', async () => {
    const customer = await customerWith()
    const bought = await emulator.buy('pm_card_visa', { customer })
    await emulator.replaceCard(customer, 'pm_card_authenticationRequired')
    const { current_period_end: end = 0 } = bought.items.data[0] ?? {}
    await emulator.advance(end + 3601 - emulator.core.now())
    expect((await stripe.subscriptions.retrieve(bought.id)).status).toBe('past_due')
    const { id } = await emulator.newestInvoice(bought.id)
    const read = () => stripe.invoices.retrieve(id, { expand: ['confirmation_secret', 'payments'] })
    const open = await read()
    expect(open).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 4900 })
    const intent = String(open.payments?.data[0]?.payment.payment_intent)
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'authentication_required', decline_code: 'authentication_required' },
    })
    const refused = stripe.invoices.pay(id, { off_session: false })
    await expectRefusal(refused, mustAuthenticate)
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'requires_action' })
    expect((await read()).confirmation_secret?.client_secret).toMatch(`${intent}_secret_`)
    await emulator.authenticate(intent, 'succeed')
    expect(await read()).toMatchObject({ status: 'paid', amount_paid: 4900, confirmation_secret: null })
    expect((await stripe.subscriptions.retrieve(bought.id)).status).toBe('active')
    const types = (await emulator.eventTypes()).slice(-8)
    expect(types).toEqual(expect.arrayContaining(['invoice.paid', 'customer.subscription.updated']))
  })
})

describe('POST /v1/invoices/:id/finalize', () => {
  it('opens the draft of an unpaid subscription, which nothing collects until it is paid by hand', async () => {
    const customer = await customerWith()
    const bought = await emulator.buy('pm_card_visa', { customer })
    const dead = await emulator.replaceCard(customer, 'pm_card_chargeCustomerFail')
    await emulator.advance(2 * month + 2 * 86_400)
    expect((await stripe.subscriptions.retrieve(bought.id)).status).toBe('unpaid')
    const draft = await emulator.newestInvoice(bought.id)
    expect(draft).toMatchObject({ status: 'draft', auto_advance: false, number: null, hosted_invoice_url: null })
    const open = await stripe.invoices.finalizeInvoice(draft.id)
    expect(open).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null, attempt_count: 0 })
    expect(open.hosted_invoice_url).toMatch(`${emulator.apiBase}/i/`)
    await stripe.paymentMethods.detach(dead)
    await emulator.replaceCard(customer, 'pm_card_visa')
    const owed = (await stripe.invoices.list({ subscription: bought.id, status: 'open' })).data
    expect(owed).toHaveLength(2)
    for (const { id } of owed) await stripe.invoices.pay(id)
    expect((await stripe.subscriptions.retrieve(bought.id)).status).toBe('active')
  })

  it('collects within an hour with auto_advance', async () => {
    const customer = await customerWith()
    const bought = await emulator.buy('pm_card_visa', { customer })
    const { current_period_end: end = 0 } = bought.items.data[0] ?? {}
    await emulator.advance(end - emulator.core.now())
    const { id, status } = await emulator.newestInvoice(bought.id)
    expect(status).toBe('draft')
    const open = await stripe.invoices.finalizeInvoice(id, { auto_advance: true })
    expect([open.status, open.next_payment_attempt]).toEqual(['open', emulator.core.now() + 3600])
    await emulator.advance(3600)
    expect((await emulator.newestInvoice(bought.id)).status).toBe('paid')
  })

  it('refuses an invoice that is no draft, and an unknown one', async () => {
    const { id } = invoiceOf(await emulator.buy())
    await expectRefusal(stripe.invoices.finalizeInvoice(id), { statusCode: 400, code: 'invoice_not_editable' })
    await expectRefusal(stripe.invoices.finalizeInvoice('in_unknown'), { statusCode: 404 })
  })
})
