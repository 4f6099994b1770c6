import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invoicedOrganization, unaddressedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { subscriptionResource } from '../../../lib/billing/slot/subscriptionResource.ts'
import { customersOf, subscriptionOf } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

const HOUR = 3600
const DAY = 24 * HOUR
const listSchema = z.strictObject({ subscriptions: z.array(subscriptionResource), next_cursor: z.null() })

async function shown(organizationId: string, as: 'owner' | 'member' = 'owner') {
  const { body } = await bed.stack.get('subscriptions', organizationId, as)
  return listSchema.parse(body).subscriptions.find(({ product }) => product === 'ota')
}

async function isEntitled(organizationId: string): Promise<boolean | undefined> {
  return (await bed.stack.entitlements(organizationId)).find(({ product }) => product === 'ota')?.active
}

async function pass(seconds: number): Promise<void> {
  await bed.stack.emulator.advance(seconds)
  await bed.stack.emulator.flush()
}

/** An organization that has bought `base_ota`, whose invoice was sent. Returns it with the invoice's id. */
async function billed(days = 30) {
  const { stack } = bed
  const organizationId = await invoicedOrganization(stack.client, days)
  expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  await pass(2 * HOUR)
  const { id, latest_invoice } = await subscriptionOf(stack, organizationId)
  return { organizationId, subscriptionId: id, invoice: String(latest_invoice) }
}

/** Pays every open invoice of a subscription by a transfer. */
async function settleOwed(subscription: string): Promise<void> {
  const { invoices } = bed.stack.stripe
  const { data } = await invoices.list({ subscription, status: 'open' })
  for (const { id } of data) await invoices.pay(id, { paid_out_of_band: true })
}

describe('Given an organization that pays by invoice', () => {
  it('sells nothing before its billing details say whom to bill, and says what lacks', async () => {
    const { stack } = bed
    const organizationId = await unaddressedOrganization(stack.client)
    const refused = await stack.checkout(organizationId, ['base_ota'])
    const error = 'billing_details_required'
    expect(refused.body).toMatchObject([
      {
        ...{ ok: false, error },
        missing: ['email', 'address.line1', 'address.city', 'address.country', 'address.postal_code'],
      },
    ])
    expect(await customersOf(stack, organizationId)).toEqual([])
    const path = `/api/billing/details?organization_id=${organizationId}`
    const address = { line1: '1 Example Street', city: 'Berlin', postal_code: '10115', country: 'DE' }
    const details = { name: 'Acme Ltd', email: 'accounts@acme.example', address }
    const give = async (body: object) =>
      (await stack.client.send({ method: 'PATCH', path, token: await stack.token(), body })).status
    expect(await give({ ...details, address: { ...address, city: ' ', postal_code: '' } })).toBe(200)
    const missing = { ok: false, error, missing: ['address.city', 'address.postal_code'] }
    expect((await stack.checkout(organizationId, ['base_ota'])).body).toMatchObject([missing])
    const cart = { product_codes: ['base_ota'] }
    const preview = await stack.post('/api/billing/checkout/preview', organizationId, cart)
    expect(preview.body).toMatchObject({ lines: [missing] })
    expect(await give(details)).toBe(200)
    expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
    const { body } = await stack.get('details', organizationId)
    expect(body).toMatchObject({ gateway: 'invoice', email: 'accounts@acme.example' })
  })

  it('grants at once what it buys without a card, due within its own days', async () => {
    const { stack } = bed
    const organizationId = await invoicedOrganization(stack.client, 14)
    const bought = await stack.checkout(organizationId, ['base_ota'])
    expect(bought.lines).toMatchObject([{ ok: true, client: { action: 'none', client_secret: null } }])
    expect(await isEntitled(organizationId)).toBe(true)
    expect(await shown(organizationId)).toMatchObject({ status: 'active', gateway: 'invoice', action: 'none' })
    expect(await shown(organizationId)).toHaveProperty('hosted_invoice_url', null)
    const { collection_method, days_until_due } = await subscriptionOf(stack, organizationId)
    expect({ collection_method, days_until_due }).toEqual({ collection_method: 'send_invoice', days_until_due: 14 })
  })

  it('takes no card: not in a line, not to be set up, not for an open invoice', async () => {
    const { stack } = bed
    const { organizationId } = await billed()
    const withCard = await stack.checkout(organizationId, ['addon_monitoring'], { card: 'pm_card_visa' })
    expect(withCard.outcomes).toEqual(['payment_method_invalid'])
    for (const path of ['/api/billing/card-gateway/setup-intent', '/api/billing/subscriptions/ota/pay']) {
      const { status, body } = await stack.post(path, organizationId, {})
      expect([status, body]).toMatchObject([409, { code: 'card_not_accepted' }])
    }
    expect((await stack.get('payment-methods', organizationId)).body).toEqual({
      payment_methods: [],
      next_cursor: null,
    })
  })

  it('previews to the cent what its invoice asks for, with a coupon', async () => {
    const { stack } = bed
    const organizationId = await invoicedOrganization(stack.client)
    const { code } = await stack.newCoupon({ percent_off: 33 })
    const body = { product_codes: ['base_ota'], coupon_code: code }
    const preview = await stack.post('/api/billing/checkout/preview', organizationId, body)
    const { total } = z.looseObject({ total: z.int() }).parse(preview.body)
    expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code })).outcomes).toEqual(['bought active'])
    await pass(2 * HOUR)
    const invoices = await stack.get('invoices', organizationId)
    expect(invoices.body).toMatchObject({
      invoices: [{ status: 'open', amount_due: total, due_at: expect.any(String) }],
    })
  })

  it('shows its open invoice to who may pay, without the page to other members', async () => {
    const { organizationId, invoice } = await billed()
    const { hosted_invoice_url } = await bed.stack.stripe.invoices.retrieve(invoice)
    expect(await shown(organizationId)).toMatchObject({ status: 'active', action: 'pay_invoice', hosted_invoice_url })
    expect(hosted_invoice_url).toMatch(/^http/)
    const other = await shown(organizationId, 'member')
    expect(other).toMatchObject({ action: 'pay_invoice', hosted_invoice_url: null })
  })

  it('is past due once the invoice is, still entitled, and active again once a transfer is matched', async () => {
    const { organizationId, invoice } = await billed()
    await pass(30 * DAY)
    expect(await shown(organizationId)).toMatchObject({ status: 'past_due', action: 'pay_invoice' })
    expect(await isEntitled(organizationId)).toBe(true)
    await bed.stack.stripe.invoices.pay(invoice, { paid_out_of_band: true })
    await pass(1)
    expect(await isEntitled(organizationId)).toBe(true)
    expect(await shown(organizationId)).toMatchObject({ status: 'active' })
  })

  it('ends as the gateway’s settings say, and may buy again once it has paid', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId, invoice } = await billed()
    await pass(70 * DAY)
    const { hosted_invoice_url } = await stack.stripe.invoices.retrieve(invoice)
    const owing = { status: 'canceled', action: 'pay_invoice', hosted_invoice_url }
    expect(await shown(organizationId)).toMatchObject(owing)
    expect(await shown(organizationId, 'member')).toMatchObject({ ...owing, hosted_invoice_url: null })
    expect(await isEntitled(organizationId)).toBe(false)
    await settleOwed(subscriptionId)
    await pass(1)
    expect(await shown(organizationId)).toMatchObject({ status: 'canceled', action: 'none' })
    expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  })

  it('buys nothing while an invoice is more than 7 days overdue, and again once it is paid', async () => {
    const { stack } = bed
    const { organizationId, invoice } = await billed()
    const buy = async () => (await stack.checkout(organizationId, ['addon_monitoring'])).lines
    // Due 30 days after it was made, two hours before it was billed.
    await pass(37 * DAY - 3 * HOUR)
    const cart = { product_codes: ['addon_monitoring'] }
    const preview = async () => (await stack.post('/api/billing/checkout/preview', organizationId, cart)).body
    expect(await preview()).toMatchObject({ lines: [{ ok: true }] })
    await pass(HOUR + 60)
    const refused = { ok: false, error: 'invoice_overdue' }
    const answer = await stack.checkout(organizationId, ['addon_monitoring'])
    expect(answer).toMatchObject({ status: 409, lines: [refused] })
    expect(await preview()).toMatchObject({ lines: [refused], total: 0 })
    expect(await stack.slot(organizationId, 'addon_monitoring')).toBeUndefined()
    await stack.stripe.invoices.pay(invoice, { paid_out_of_band: true })
    expect(await buy()).toMatchObject([{ ok: true }])
  })

  it('ended without paying, it buys nothing by any other product either', async () => {
    const { stack } = bed
    const { organizationId } = await billed()
    await pass(70 * DAY)
    expect((await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'])).outcomes).toEqual([
      'invoice_overdue',
      'invoice_overdue',
    ])
  })

  it('keeps the details that an open invoice needs: they may be replaced, and removed once it is paid', async () => {
    const { stack } = bed
    const { organizationId, invoice } = await billed()
    const path = `/api/billing/details?organization_id=${organizationId}`
    const give = async (address: object | null) =>
      stack.client.send({ method: 'PATCH', path, token: await stack.token(), body: { address } })
    const inUse = { status: 409, body: { code: 'details_in_use' } }
    const vienna = { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' }
    expect(await give(null)).toMatchObject(inUse)
    expect(await give({ ...vienna, city: ' ' })).toMatchObject(inUse)
    expect(await give({ ...vienna, postal_code: null })).toMatchObject(inUse)
    expect((await stack.get('details', organizationId)).body).toMatchObject({ address: { city: 'Berlin' } })
    expect(await give(vienna)).toMatchObject({ status: 200, body: { address: vienna } })
    expect(await give({ ...vienna, country: 'AE', postal_code: null })).toMatchObject({ status: 200 })
    await stack.stripe.invoices.pay(invoice, { paid_out_of_band: true })
    expect(await give(null)).toMatchObject({ status: 200, body: { address: null } })
  })

  it('answers 503 where the gateway does not say what is owed', async () => {
    const { stack } = bed
    const { organizationId } = await billed()
    await stack.emulator.fault({ method: 'GET', path: '/v1/invoices', kind: 'drop_before', times: 2 })
    const refused = await stack.checkout(organizationId, ['addon_monitoring'])
    expect(refused).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
  })

  it.each([
    ['paid outside', (id: string) => bed.stack.stripe.invoices.pay(id, { paid_out_of_band: true })],
    ['voided', (id: string) => bed.stack.stripe.invoices.voidInvoice(id)],
    ['written off', (id: string) => bed.stack.stripe.invoices.markUncollectible(id)],
    ['credited in full', (id: string) => bed.stack.stripe.creditNotes.create({ invoice: id, amount: 4900 })],
  ])('has nothing to pay after its invoice was %s', async (_how, settle) => {
    const { organizationId, invoice } = await billed()
    expect(await shown(organizationId)).toMatchObject({ action: 'pay_invoice' })
    await settle(invoice)
    await pass(1)
    expect(await shown(organizationId)).toMatchObject({ status: 'active', action: 'none' })
    expect(await isEntitled(organizationId)).toBe(true)
  })

  it('cancels at once, owing what was sent, and buys the product again', async () => {
    const { stack } = bed
    const { organizationId, invoice } = await billed()
    const canceled = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(canceled.body).toMatchObject({ status: 'canceled' })
    expect(await isEntitled(organizationId)).toBe(false)
    expect(await stack.stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'open' })
    expect(await shown(organizationId)).toMatchObject({ status: 'canceled', action: 'pay_invoice' })
    const paid = await stack.post('/api/billing/subscriptions/ota/pay', organizationId, {})
    expect([paid.status, paid.body]).toMatchObject([409, { code: 'card_not_accepted' }])
    expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  })
})
