import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { invoiceOf, openEmulator } from '../support/openEmulator.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

async function customerWith(details: Stripe.CustomerCreateParams = {}) {
  const { id } = await emulator.customerWith('pm_card_visa')
  await stripe.customers.update(id, { name: '<b>Acme & Söhne (Ltd)</b>', ...details })
  return id
}

describe('Given a finalized invoice', () => {
  it('has a page and a PDF for whoever has the link, and no link while it is a draft', async () => {
    const customer = await customerWith({ address: { country: 'DE', city: 'Berlin' } })
    const bought = await emulator.buy('pm_card_visa', { customer, discounts: [{ coupon: 'HALF' }] })
    const { hosted_invoice_url, invoice_pdf, number } = invoiceOf(bought)
    const page = await fetch(String(hosted_invoice_url))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await page.text()
    for (const text of [String(number), '&lt;b&gt;Acme &amp; Söhne', 'Berlin', '$49.00', 'Discount -$24.50'])
      expect(html).toContain(text)
    expect(html).not.toContain('<b>')
    const pdf = await fetch(String(invoice_pdf))
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const bytes = Buffer.from(await pdf.arrayBuffer()).toString('latin1')
    expect(bytes).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/)
    expect(bytes).toContain('Acme & Söhne \\(Ltd\\)')
    const xref = Number(/startxref\n(\d+)/.exec(bytes)?.[1])
    expect(bytes.slice(xref, xref + 4)).toBe('xref')
    const offsets = [...bytes.slice(xref).matchAll(/(\d{10}) 00000 n/g)].map(([, offset]) => Number(offset))
    offsets.forEach((offset, index) => {
      expect(bytes.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
    })
    expect((await stripe.invoices.createPreview({ subscription: bought.id })).invoice_pdf).toBeNull()
  })

  it('cannot be found by a guessed link', async () => {
    const { hosted_invoice_url: url } = invoiceOf(await emulator.buy())
    const statusOf = async (link: string) => (await fetch(link)).status
    expect(await statusOf(String(url).replace(/.\?/, '!?'))).toBe(404)
    expect(await statusOf(String(url).replace(/test_\w+/, `test_${'a'.repeat(48)}`))).toBe(404)
    expect(await statusOf(`${emulator.apiBase}/i/acct_emulator/`)).toBe(404)
  })

  it('is numbered by customer: its prefix, and one more each time', async () => {
    const [one, two] = [await customerWith(), await customerWith()]
    const number = async (customer: string) => invoiceOf(await emulator.buy('pm_card_visa', { customer })).number
    const numbers = [await number(one), await number(two), await number(one)]
    const prefixOf = async (id: string) => Object(await stripe.customers.retrieve(id)).invoice_prefix
    const [first, second] = [await prefixOf(one), await prefixOf(two)]
    expect(first).toMatch(/^[0-9A-Z]{8}$/)
    expect(numbers).toEqual([`${first}-0001`, `${second}-0001`, `${first}-0002`])
    expect(await stripe.customers.retrieve(one)).toMatchObject({ next_invoice_sequence: 3, currency: 'usd' })
  })

  it('is found by customer, subscription and status, a page at a time', async () => {
    const customer = await customerWith()
    const first = await emulator.buy('pm_card_visa', { customer })
    const second = await emulator.buy('pm_card_visa', { customer })
    const idsOf = async (params: Stripe.InvoiceListParams) => {
      const { data, has_more } = await stripe.invoices.list(params)
      return [data.map(({ id }) => id), has_more]
    }
    const [a, b] = [invoiceOf(first).id, invoiceOf(second).id]
    expect(await idsOf({ customer, status: 'paid', limit: 1 })).toEqual([[b], true])
    expect(await idsOf({ customer, limit: 1, starting_after: b })).toEqual([[a], false])
    expect(await idsOf({ subscription: first.id })).toEqual([[a], false])
    expect(await idsOf({ customer, status: 'open' })).toEqual([[], false])
  })

  it('shows the customer as of its finalization', async () => {
    const customer = await customerWith({ name: 'Before' })
    const bought = await emulator.buy('pm_card_visa', { customer })
    const { current_period_end: end = 0 } = bought.items.data[0] ?? {}
    await emulator.advance(end - emulator.core.now())
    await stripe.customers.update(customer, { name: 'At finalization' })
    await emulator.advance(3600)
    await stripe.customers.update(customer, { name: 'After' })
    expect((await emulator.newestInvoice(bought.id)).customer_name).toBe('At finalization')
    expect((await stripe.invoices.retrieve(invoiceOf(bought).id)).customer_name).toBe('Before')
  })
})
