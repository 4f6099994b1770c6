import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { intentOf, invoiceOf, openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = eachTest(openEmulator)
const stripe = () => emulator().stripe

async function billed(card: string) {
  const { id: subscription, customer, latest_invoice } = await emulator().buy(card)
  const invoice = invoiceOf({ latest_invoice })
  return { customer: String(customer), subscription, invoice: invoice.id, intent: await intentOf(stripe(), invoice) }
}
const retrieve = (invoice: string) => stripe().invoices.retrieve(invoice)

describe('POST /v1/credit_notes of a paid invoice', () => {
  it('splits the amount into refund, credit and payment outside Stripe', async () => {
    const { customer, invoice, intent } = await billed('pm_card_visa')
    const note = await stripe().creditNotes.create({
      invoice,
      amount: 3000,
      refund_amount: 2000,
      credit_amount: 900,
      out_of_band_amount: 100,
      reason: 'order_change',
    })
    expect(note).toMatchObject({
      status: 'issued',
      type: 'post_payment',
      post_payment_amount: 3000,
      pre_payment_amount: 0,
    })
    const [refund] = (await stripe().refunds.list({ payment_intent: intent.id })).data
    expect(refund).toMatchObject({ id: note.refunds[0]?.refund, amount: 2000 })
    expect(await stripe().customers.retrieve(customer)).toMatchObject({ balance: -900 })
    const found = await retrieve(invoice)
    expect(found).toMatchObject({ status: 'paid', amount_paid: 4900, post_payment_credit_notes_amount: 3000 })
  })

  it('links a refund that was made before', async () => {
    const { invoice, intent } = await billed('pm_card_visa')
    const refund = await stripe().refunds.create({ payment_intent: intent.id, amount: 500 })
    const note = await stripe().creditNotes.create({ invoice, amount: 500, refunds: [{ refund: refund.id }] })
    expect(note.refunds).toMatchObject([{ refund: refund.id, amount_refunded: 500 }])
    expect((await stripe().refunds.list()).data).toHaveLength(1)
  })

  it('refuses parts that do not add up, more than was paid, and both amount and lines; nothing is refunded', async () => {
    const { invoice } = await billed('pm_card_visa')
    const create = (params: object) => refusal(stripe().creditNotes.create({ invoice, ...params }))
    for (const params of [
      { amount: 1000, refund_amount: 900 },
      { amount: 5000, credit_amount: 5000 },
      { credit_amount: 1 },
    ]) {
      expect(await create(params)).toMatchObject({ statusCode: 400 })
    }
    expect((await stripe().refunds.list()).data).toEqual([])
  })

  it('credits a line of the invoice, and cannot be voided', async () => {
    const { invoice } = await billed('pm_card_visa')
    const [line] = (await stripe().invoices.listLineItems(invoice)).data
    const lines = [{ type: 'invoice_line_item' as const, invoice_line_item: line?.id ?? '', amount: 700 }]
    const { id } = await stripe().creditNotes.create({ invoice, lines, refund_amount: 700 })
    const shown = (await stripe().creditNotes.listLineItems(id)).data
    expect(shown).toMatchObject([{ amount: 700, invoice_line_item: line?.id, type: 'invoice_line_item' }])
    await expectRefusal(stripe().creditNotes.voidCreditNote(id), { statusCode: 400 })
  })
})

describe('POST /v1/credit_notes of an open invoice', () => {
  it('lowers what is due and what its PaymentIntent asks for; voiding raises it again', async () => {
    const { invoice, intent } = await billed('pm_card_chargeCustomerFail')
    const note = await stripe().creditNotes.create({ invoice, amount: 1900 })
    expect(note).toMatchObject({ type: 'pre_payment', pre_payment_amount: 1900 })
    const found = await retrieve(invoice)
    expect(found).toMatchObject({ amount_due: 3000, amount_remaining: 3000, pre_payment_credit_notes_amount: 1900 })
    expect((await stripe().paymentIntents.retrieve(intent.id)).amount).toBe(3000)
    expect(await stripe().creditNotes.voidCreditNote(note.id)).toMatchObject({ status: 'void' })
    expect(await retrieve(invoice)).toMatchObject({ amount_due: 4900, pre_payment_credit_notes_amount: 0 })
    expect(await emulator().eventTypes()).toEqual(expect.arrayContaining(['credit_note.created', 'credit_note.voided']))
  })

  it('leaves the rest of the invoice to be paid', async () => {
    const { customer, invoice, intent, subscription } = await billed('pm_card_chargeCustomerFail')
    await stripe().creditNotes.create({ invoice, amount: 1900 })
    const { id: card } = await stripe().paymentMethods.attach('pm_card_visa', { customer })
    expect(await stripe().invoices.pay(invoice, { payment_method: card })).toMatchObject({ amount_paid: 3000 })
    const charges = await stripe().charges.list({ payment_intent: intent.id })
    expect(charges.data[0]).toMatchObject({ amount: 3000, status: 'succeeded' })
    expect((await stripe().subscriptions.retrieve(subscription)).status).toBe('active')
  })

  it('marks the invoice paid when nothing is left, cancels the PaymentIntent and activates the subscription', async () => {
    const { invoice, intent, subscription } = await billed('pm_card_chargeCustomerFail')
    await stripe().creditNotes.create({ invoice, amount: 4900 })
    expect(await retrieve(invoice)).toMatchObject({ status: 'paid', amount_paid: 0 })
    expect((await stripe().paymentIntents.retrieve(intent.id)).status).toBe('canceled')
    expect((await stripe().subscriptions.retrieve(subscription)).status).toBe('active')
  })

  it('refuses a refund, because nothing was paid', async () => {
    const { invoice } = await billed('pm_card_chargeCustomerFail')
    const create = (params: object) => refusal(stripe().creditNotes.create({ invoice, amount: 100, ...params }))
    expect(await create({ refund_amount: 100 })).toMatchObject({ statusCode: 400 })
    expect(await create({ credit_amount: 100 })).toMatchObject({ statusCode: 400 })
  })
})

describe('GET /v1/credit_notes', () => {
  it('lists the credit notes of an invoice, newest first, and reads and changes one', async () => {
    const { invoice, customer } = await billed('pm_card_visa')
    const make = async (amount: number) =>
      (await stripe().creditNotes.create({ invoice, amount, credit_amount: amount })).id
    const ids = [await make(100), await make(200)]
    expect((await stripe().creditNotes.list({ invoice, customer })).data.map(({ id }) => id)).toEqual(ids.reverse())
    const updated = await stripe().creditNotes.update(ids[0] ?? '', { memo: 'sorry' })
    expect([updated.memo, updated.number.endsWith('-CN-02')]).toEqual(['sorry', true])
    const shown = (await stripe().creditNotes.retrieve(ids[0] ?? '', { expand: ['invoice'] })).invoice
    expect(shown).toMatchObject({ id: invoice })
  })
})
