import { afterAll, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { invoiceOf, openEmulator, withPayment } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())
const { id: inclusive } = await emulator.newPrice(4900, { tax_behavior: 'inclusive' })

const resident = async (address: Stripe.AddressParam | undefined, more: Stripe.CustomerCreateParams = {}) =>
  (await emulator.customerWith('pm_card_visa', { ...more, ...(address && { address }) })).id

const buy = (customer: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
  emulator.subscribe(customer, { automatic_tax: { enabled: true }, expand: withPayment, ...more })

const california = { country: 'US', state: 'CA', postal_code: '94103' }

describe('Given a subscription with automatic tax', () => {
  it.each<[Stripe.AddressParam, number, string]>([
    [{ country: 'DE' }, 931, 'standard_rated'],
    [{ country: 'GB' }, 980, 'standard_rated'],
    [california, 404, 'standard_rated'],
    [{ ...california, state: 'OR' }, 0, 'not_collecting'],
    [{ country: 'BR' }, 0, 'not_collecting'],
  ])('adds the tax of %j: %d', async (address, amount, taxability_reason) => {
    const bought = await buy(await resident(address))
    expect(bought.automatic_tax).toMatchObject({ enabled: true, disabled_reason: null })
    const taxes = [{ amount, tax_behavior: 'exclusive', taxability_reason }]
    expect(invoiceOf(bought)).toMatchObject({
      automatic_tax: { enabled: true, status: 'complete' },
      subtotal: 4900,
      total_excluding_tax: 4900,
      total: 4900 + amount,
      amount_paid: 4900 + amount,
      total_taxes: taxes,
      lines: { data: [{ amount: 4900, taxes }] },
    })
  })

  it('finds the tax in a price that contains it, after the discount', async () => {
    const customer = await resident({ country: 'DE' })
    const bought = await buy(customer, { items: [{ price: inclusive }], discounts: [{ coupon: 'HALF' }] })
    expect(invoiceOf(bought)).toMatchObject({
      subtotal: 4900,
      subtotal_excluding_tax: 4118,
      total: 2450,
      amount_paid: 2450,
      total_excluding_tax: 2059,
      total_taxes: [{ amount: 391, tax_behavior: 'inclusive', taxable_amount: 2059 }],
    })
  })

  it.each<[string, Stripe.CustomerCreateParams, string]>([
    ['is exempt', { tax_exempt: 'exempt' }, 'customer_exempt'],
    ['owes it', { tax_exempt: 'reverse' }, 'reverse_charge'],
    ['is a business', { tax_id_data: [{ type: 'eu_vat', value: 'DE123456789' }] }, 'reverse_charge'],
  ])('adds none where the customer %s', async (_case, more, taxability_reason) => {
    const invoice = invoiceOf(await buy(await resident({ country: 'DE' }, more)))
    expect(invoice).toMatchObject({ total: 4900, total_taxes: [{ amount: 0, taxability_reason }] })
    expect(invoice.customer_tax_exempt).toBe(more.tax_exempt ?? 'none')
    expect(invoice.customer_tax_ids).toEqual(more.tax_id_data ?? [])
  })

  it('taxes renewals and changes too, at the place where the customer then is', async () => {
    const customer = await resident({ country: 'DE' })
    const bought = await buy(customer)
    await stripe.customers.update(customer, { address: { country: 'GB' } })
    await emulator.advance(32 * 86_400)
    const change = { items: [{ id: bought.items.data[0]?.id ?? '', quantity: 2 }] }
    await stripe.subscriptions.update(bought.id, { ...change, proration_behavior: 'always_invoice' })
    const [changed, renewal] = (await stripe.invoices.list({ subscription: bought.id })).data
    expect(renewal).toMatchObject({ status: 'paid', total: 5880, amount_paid: 5880 })
    expect(changed?.total).toBe((changed?.total_excluding_tax ?? 0) + (changed?.total_taxes?.[0]?.amount ?? 0))
    expect(changed?.total_taxes?.[0]?.amount).toBeGreaterThan(0)
    expect(emulator.core.control.state().violations).toEqual([])
  })

  it('bills a renewal without tax, and says why, once nobody knows where the customer is', async () => {
    const customer = await resident({ country: 'DE' })
    const bought = await buy(customer)
    const { customers, invoices } = stripe
    const refused = customers.update(customer, { address: '' })
    await expectRefusal(refused, { statusCode: 400, code: 'customer_tax_location_invalid' })
    await customers.update(customer, { address: '', tax: { validate_location: 'deferred' } })
    await emulator.advance(32 * 86_400)
    const [renewal] = (await invoices.list({ subscription: bought.id })).data
    expect(renewal).toMatchObject({
      total: 4900,
      automatic_tax: { enabled: false, disabled_reason: 'finalization_requires_location_inputs' },
    })
  })

  it.each<[string, Stripe.AddressParam | undefined]>([
    ['no address', undefined],
    ['no country', { city: 'Berlin' }],
    ['no postal code in the US', { country: 'US', state: 'CA' }],
    ['no ZIP code in the US', { country: 'US', state: 'CA', postal_code: '12' }],
  ])('is refused for a customer with %s', async (_case, address) => {
    const customer = await resident(address)
    const refused = { statusCode: 400, code: 'customer_tax_location_invalid' }
    await expectRefusal(buy(customer), refused)
    const plain = await buy(customer, { automatic_tax: { enabled: false } })
    const on = stripe.subscriptions.update(plain.id, { automatic_tax: { enabled: true } })
    await expectRefusal(on, refused)
  })

  it('is off unless asked for', async () => {
    const customer = await resident({ country: 'DE' })
    const bought = await emulator.subscribe(customer, { expand: withPayment })
    expect(bought.automatic_tax.enabled).toBe(false)
    const shown = invoiceOf(bought)
    expect(shown).toMatchObject({ total: 4900, total_taxes: [], automatic_tax: { enabled: false, status: null } })
  })
})
