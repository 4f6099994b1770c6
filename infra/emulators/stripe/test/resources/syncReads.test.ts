import { afterAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
const { stripe } = emulator
afterAll(() => emulator.close())

describe('What sync engines read first', () => {
  it('is the account, the same on every read', async () => {
    const account = await stripe.accounts.retrieveCurrent()
    expect(account).toMatchObject({ object: 'account', charges_enabled: true, default_currency: 'usd' })
    expect(account.id).toMatch(/^acct_\w{16}$/)
    expect((await stripe.accounts.retrieveCurrent()).id).toBe(account.id)
  })

  it('is the plans, which are the recurring prices', async () => {
    const price = await stripe.prices.retrieve(emulator.ota)
    const { data } = await stripe.plans.list({ product: 'prod_ota' })
    expect(data).toMatchObject([{ id: price.id, object: 'plan', amount: 4900, interval: 'month', product: 'prod_ota' }])
    expect(await stripe.plans.retrieve(price.id)).toMatchObject({ id: price.id })
    expect((await stripe.plans.list({ active: false })).data).toEqual([])
    expect((await stripe.plans.list({ limit: 1 })).has_more).toBe(true)
    await stripe.prices.create({ product: 'prod_ota', currency: 'usd', unit_amount: 100 })
    expect((await stripe.plans.list()).data).toHaveLength(2)
    await expectRefusal(stripe.plans.retrieve('plan_none'), { statusCode: 404, code: 'resource_missing' })
  })

  it('is the tax ids of the account, which has none, and of a customer', async () => {
    const { id: customer } = await stripe.customers.create()
    const taxId = await stripe.customers.createTaxId(customer, { type: 'eu_vat', value: 'DE123456789' })
    expect((await stripe.taxIds.list()).data).toEqual([])
    expect((await stripe.taxIds.list({ owner: { type: 'customer', customer } })).data).toMatchObject([{ id: taxId.id }])
    expect(await stripe.taxIds.retrieve(taxId.id)).toMatchObject({ value: 'DE123456789' })
    await expectRefusal(stripe.taxIds.retrieve('txi_none'), { statusCode: 404 })
    await expectRefusal(stripe.taxIds.list({ owner: { type: 'customer' } }), {
      statusCode: 400,
      param: 'owner[customer]',
    })
    await expectRefusal(stripe.taxIds.list({ owner: { type: 'application' } }), {
      statusCode: 501,
      code: 'unsupported_value',
    })
  })

  it('is lists that are empty here, of objects that exist', async () => {
    const { id: customer } = await stripe.customers.create()
    expect((await stripe.customers.listSources(customer)).data).toEqual([])
    expect((await stripe.products.listFeatures('prod_ota')).data).toEqual([])
    expect((await stripe.radar.earlyFraudWarnings.list()).data).toEqual([])
    expect((await stripe.checkout.sessions.list({ limit: 100 })).data).toEqual([])
    expect((await stripe.invoiceItems.list({ customer })).data).toEqual([])
    expect((await stripe.entitlements.activeEntitlements.list({ customer })).data).toEqual([])
    await expectRefusal(stripe.entitlements.activeEntitlements.list({ customer: 'cus_none' }), {
      code: 'resource_missing',
    })
    await expectRefusal(stripe.customers.listSources('cus_none'), { statusCode: 404 })
    await expectRefusal(stripe.products.listFeatures('prod_none'), { statusCode: 404 })
    await expectRefusal(stripe.checkout.sessions.create({ mode: 'setup' }), { code: 'unsupported_operation' })
  })

  it('is lists of what the emulator has none of, without filters', async () => {
    const { accounts, applicationFees, balanceTransactions, countrySpecs, entitlements, fileLinks, files } = stripe
    const { identity, issuing, payouts, reviews, shippingRates, taxCodes, taxRates, transfers } = stripe
    const lists = [
      ...[accounts, applicationFees, balanceTransactions, countrySpecs, entitlements.features, fileLinks, files],
      ...[identity.verificationReports, identity.verificationSessions, issuing.authorizations, issuing.cardholders],
      ...[issuing.cards, issuing.disputes, issuing.transactions, payouts, reviews, shippingRates, taxCodes, taxRates],
      transfers,
    ]
    for (const resource of lists)
      expect(await resource.list({ limit: 100 })).toMatchObject({ data: [], has_more: false })
    await expectRefusal(payouts.list({ status: 'paid' }), { statusCode: 501, code: 'unsupported_parameter' })
  })

  it('is no list of invoice items once prorations were made, which Stripe may list', async () => {
    const { id, items } = await emulator.buy()
    await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', quantity: 2 }] })
    await expectRefusal(stripe.invoiceItems.list(), { statusCode: 501, code: 'unsupported_operation' })
  })
})
