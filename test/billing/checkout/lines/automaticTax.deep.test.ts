import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { customerOf, customersOf, subscriptionOf } from '../../gatewayView.ts'
import { replacePrice } from '../../listPrices.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack({ automaticTax: true })

async function giveAddress(organizationId: string, address: object | null): Promise<number> {
  const path = `/api/billing/details?organization_id=${organizationId}`
  const token = await bed.stack.token()
  return (await bed.stack.client.send({ method: 'PATCH', path, token, body: { address } })).status
}

const berlin = { line1: 'Torstrasse 1', city: 'Berlin', postal_code: '10119', country: 'DE' }
const purchasesSent = async () =>
  (await bed.stack.emulator.requests()).filter(({ method, path }) => method === 'POST' && path === '/v1/subscriptions')

async function preview(organizationId: string) {
  const path = `/api/billing/checkout/preview?organization_id=${organizationId}`
  const token = await bed.stack.token()
  return bed.stack.client.send({ method: 'POST', path, token, body: { product_codes: ['base_ota'] } })
}

describe('Given a stage where tax is computed', () => {
  it('previews a purchase as it is then refused or charged, tax included', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const missing = { ok: false, error: 'billing_details_required' }
    expect(await preview(organizationId)).toMatchObject({ status: 200, body: { lines: [missing], total: 0 } })
    await giveAddress(organizationId, berlin)
    const { body } = await preview(organizationId)
    const { lines } = await stack.checkout(organizationId, ['base_ota'], { card })
    const path = `/api/billing/invoices?organization_id=${organizationId}`
    const charged = await stack.client.send({ method: 'GET', path, token: await stack.token() })
    const { total } = z
      .object({ total: z.number(), lines: z.tuple([z.object({ tax: z.number().positive() })]) })
      .parse(body)
    expect(charged.body).toMatchObject({ invoices: [{ amount_paid: total }] })
    expect(lines).toMatchObject([{ subscription: { price: { amount: 4900 }, next_charge: { amount: total } } }])
  })

  it.each([
    ['', 4118, 0, 782],
    [' and a coupon', 4118, 1373, 522],
  ])(
    'shows a price that includes its tax%s in parts that add up to what is charged',
    async (coupon, amount, discount, tax) => {
      const { stack } = bed
      const card = 'pm_card_authenticationRequired'
      const { organizationId } = await stack.organizationWithCard(card)
      await giveAddress(organizationId, berlin)
      const { code } = await stack.newCoupon({ percent_off: 33.33 })
      const putBack = await replacePrice(stack, 'base_ota', { unit_amount: 4900, tax_behavior: 'inclusive' })
      await stack.emulator.advance(301)
      const cart = { product_codes: ['base_ota'], ...(coupon && { coupon_code: code }) }
      const preview = () => stack.post('/api/billing/checkout/preview', organizationId, cart)
      const total = amount - discount + tax
      const shown = { lines: [{ ok: true, amount, discount, tax, total }], total }
      const { body } = await preview()
      expect(body).toMatchObject({ ...shown, subtotal: 4900 })
      const held = { ...cart, expected_subtotal: 4900, currency: 'usd' }
      expect((await stack.post('/api/billing/checkout', organizationId, held)).status).toBe(201)
      const { latest_invoice: invoice } = await subscriptionOf(stack, organizationId)
      expect((await stack.stripe.invoices.retrieve(String(invoice))).amount_due).toBe(total)
      expect((await preview()).body).toMatchObject(shown)
      await putBack()
      await stack.emulator.advance(301)
    },
  )

  it('refuses a purchase without an address before anything is sent, and sells it with tax once there is one', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const refused = await stack.checkout(organizationId, ['base_ota'], { card })
    expect(refused).toMatchObject({ status: 409, outcomes: ['billing_details_required'] })
    expect(await purchasesSent()).toEqual([])
    expect(await stack.slot(organizationId)).toBeUndefined()
    expect(await giveAddress(organizationId, { country: 'US' })).toBe(200)
    const incomplete = await stack.checkout(organizationId, ['base_ota'], { card })
    expect(incomplete.body).toMatchObject([{ missing: ['address.line1', 'address.city', 'address.postal_code'] }])
    expect(await purchasesSent()).toEqual([])

    expect(await giveAddress(organizationId, berlin)).toBe(200)
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect((await subscriptionOf(stack, organizationId)).automatic_tax.enabled).toBe(true)
    // Stripe does not let the address of a taxed subscription go.
    expect(await giveAddress(organizationId, null)).toBe(422)
  })

  it('refuses an organization without a customer, and creates none', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const { code } = await stack.newCoupon({ percent_off: 100 })
    const refused = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
    expect(refused).toMatchObject({ status: 409, outcomes: ['billing_details_required'] })
    expect(await customersOf(stack, organizationId)).toEqual([])
  })

  it('refuses an address that tax cannot be computed for as the gateway does, and gives slot and coupon back', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await giveAddress(organizationId, { line1: '1 Main Street', city: 'Springfield', postal_code: '12', country: 'US' })
    const { id, code } = await stack.newCoupon()
    const refused = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
    expect(refused).toMatchObject({ status: 409, body: [{ error: 'billing_details_required', missing: ['address'] }] })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'none' })
    expect(await stack.redemptions(id)).toEqual([])
  })

  it('answers 503 where the gateway does not say whether there is an address', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const path = `/v1/customers/${await customerOf(stack, organizationId)}`
    await stack.emulator.fault({ method: 'GET', path, kind: 'drop_before', times: 2 })
    const refused = await stack.checkout(organizationId, ['base_ota'], { card })
    expect(refused).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
    expect(await purchasesSent()).toEqual([])
  })
})
