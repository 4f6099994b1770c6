import { describe, expect, it } from '@jest/globals'
import type { DemoUser } from '../../../../infra/data/demo.ts'
import { products } from '../../../../lib/billing/catalog.ts'
import { previewCheckout } from '../../../../lib/billing/checkout/previewCheckout.ts'
import { emptySlot } from '../../../../lib/billing/slot/slot.ts'
import { READ_BUDGET } from '../../../../lib/billing/timing.ts'
import { errorBody } from '../../../support/errorBody.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, caller, noon, ok, organizationId, purchase } from '../../fixtures.ts'
import { callsOf } from '../../gatewayCalls.ts'
import { customersOf, subscribedOrganization } from '../../gatewayView.ts'
import { replacePrice } from '../../listPrices.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'
import { refusedLine } from './lineRefusals.ts'
import { previewsOn } from './previews.ts'

const bed = useCleanStack()

const { expectSame, preview, previewed, redeemed, send, cart } = previewsOn(bed)

describe('POST /api/billing/checkout/preview', () => {
  it('has every member of each line, and a total of 0 where every line is refused', async () => {
    const { organizationId } = await subscribedOrganization(bed.stack)
    const monitoring = { product_code: 'addon_monitoring', product: 'monitoring', currency: 'usd', amount: 1900 }
    expect((await send(organizationId, ['addon_monitoring'])).body).toEqual({
      lines: [{ ok: true, ...monitoring, discount: 0, tax: 0, total: 1900 }],
      subtotal: 1900,
      total: 1900,
      currency: 'usd',
    })
    const detail = 'The organization is already subscribed to this product'
    expect(await send(organizationId, ['base_ota'])).toEqual({
      status: 200,
      body: {
        lines: [refusedLine('already_subscribed', detail)],
        subtotal: 0,
        total: 0,
        currency: 'usd',
      },
    })
  })

  it('needs neither a customer nor a card, and creates none', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const { code } = await stack.newCoupon({ percent_off: 100 })
    expect((await previewed(organizationId, ['base_ota'], code)).lines).toMatchObject([{ discount: 4900, total: 0 }])
    expect((await previewed(organizationId, cart)).total).toBe(11_200)
    expect([await customersOf(stack, organizationId), await stack.redemptions(code)]).toEqual([[], []])
    expect(await stack.slot(organizationId)).toBeUndefined()
  })

  it('refuses a coupon that this user has redeemed elsewhere, and one that is unknown, as checkout does', async () => {
    const { stack } = bed
    const { organizationId: elsewhere, card: theirs } = await stack.organizationWithCard()
    const { code } = await stack.newCoupon()
    await stack.checkout(elsewhere, ['base_ota'], { card: theirs, coupon: code })
    const { organizationId, card } = await stack.organizationWithCard()
    const two = cart.slice(0, 2)
    expect(await expectSame(organizationId, two, { card, coupon: code })).toEqual([redeemed, redeemed])
    const unknown = ['coupon_invalid', 'coupon_invalid']
    expect(await expectSame(organizationId, two, { card, coupon: 'NO-SUCH-CODE' })).toEqual(unknown)
  })

  it('says of a purchase that waits for its buyer what its open invoice asks for, and of another coupon that it cannot be used', async () => {
    const { stack } = bed
    const { code } = await stack.newCoupon({ percent_off: 33 })
    const { organizationId, intentId } = await buyUnauthenticated(stack, undefined, { coupon: code })
    const { code: another } = await stack.newCoupon()
    const waiting = [
      { options: {}, says: 3283 },
      { options: { coupon: code.toLowerCase() }, says: 3283 },
      { options: { coupon: another }, says: 'coupon_invalid' },
    ]
    for (const { options, says } of waiting) {
      // What events write is not the preview's.
      await stack.emulator.flush()
      expect(await expectSame(organizationId, ['base_ota'], options)).toEqual([says])
    }
    await stack.emulator.webhooks('hold')
    await stack.emulator.authenticate(intentId, 'succeed')
    expect(await expectSame(organizationId, ['base_ota'])).toEqual(['already_subscribed'])
  })

  it('refuses a line whose purchase is under way, and previews anew one that expired', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithUnknownPurchase()
    const { lines } = await previewed(organizationId, ['base_ota'])
    expect(lines).toMatchObject([{ ok: false, error: 'checkout_in_progress' }])

    const waiting = await buyUnauthenticated(stack)
    await stack.emulator.advance(24 * 3600)
    const good = await stack.addCard(waiting.organizationId, 'pm_card_visa')
    expect(await expectSame(waiting.organizationId, ['base_ota'], { card: good })).toEqual([4900])
  })

  it('asks for prices anew where the known one is not sold any more', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await previewed(organizationId, ['base_ota'])
    const putBack = await replacePrice(stack, 'base_ota', { unit_amount: 5003 }, { archived: true })
    expect((await previewed(organizationId, ['base_ota'])).total).toBe(5003)
    expect(await expectSame(organizationId, ['base_ota'], { card })).toEqual([5003])
    await putBack()
    await stack.emulator.advance(301)
  })

  it('answers 503 with Retry-After for the whole cart while the gateway does not answer for one of its lines', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const token = await stack.token()
    await previewed(organizationId, cart)
    await stack.emulator.fault({ method: 'POST', path: '/v1/invoices/create_preview', kind: 'drop_before', times: 3 })
    const answer = await stack.wire({
      method: 'POST',
      path: `${preview}?organization_id=${organizationId}`,
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product_codes: cart.slice(0, 2) }),
    })
    const detail = 'The payment gateway is unavailable; the request is safe to send again'
    expect([answer.status, answer.body]).toEqual([503, errorBody(detail, 'gateway_unavailable')])
    expect(answer.headers['retry-after']).toBe('5')
  })

  it('is for owners and billing admins, and takes no card', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    const as = async (user: DemoUser) => (await send(organizationId, ['gold'], undefined, user)).status
    expect([await as('owner'), await as('billing_admin'), await as('member'), await as('stranger')]).toEqual([
      200, 200, 403, 404,
    ])
    const body = { product_codes: ['base_ota'], payment_method_id: 'pm_1' }
    expect(await stack.post(preview, organizationId, body)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'payment_method_id'] }] },
    })
  })
})

describe('previewSubscription', () => {
  it.each([
    ['on', true, 931],
    ['off', false, 0],
  ])('equals what the same frozen request is then charged, with automatic tax %s', async (_, enabled, tax) => {
    const { stack } = bed
    const gateway = callsOf(await stack.billing())
    const { id: customer } = await stack.stripe.customers.create({
      address: { country: 'DE', postal_code: '10115', city: 'Berlin', line1: 'Invalidenstr. 1' },
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    const prices = await gateway.prices({ fresh: true })
    const price = prices.kind === 'ok' ? prices.value.get('base_ota') : undefined
    if (!price) throw new Error('The price list has no base_ota')
    const { organizationId } = await stack.organizationWithCard()
    const reference = { ...purchase, organization_id: organizationId }
    const frozen = gateway.freezeSubscription({
      price,
      paymentMethodId: undefined,
      coupon: undefined,
      purchase: reference,
    })
    const taxed = JSON.stringify({ ...JSON.parse(frozen), automatic_tax: { enabled } })
    const answerBy = (await stack.emulator.now()) * 1000 + 60_000
    const said = await gateway.previewSubscription(taxed, customer, { answerBy })
    const made = await gateway.createSubscription(taxed, customer, `preview-${enabled}`, {
      sendUntil: answerBy,
      answerBy,
      resend: false,
    })
    const invoice = await stack.stripe.invoices.retrieve((made.kind === 'ok' && made.value.invoiceId) || '')
    const amounts = { amount: 4900, discount: 0, tax, total: invoice.amount_paid, currency: 'usd' }
    expect(said).toMatchObject({ kind: 'ok', value: amounts })
    expect(invoice.amount_paid).toBe(4900 + tax)
    await stack.stripe.subscriptions.cancel((made.kind === 'ok' && made.value.id) || '')
  })

  it('gives up at the time that it is given, though the gateway has not answered', async () => {
    const { stack } = bed
    const { previewSubscription } = callsOf(await stack.billing())
    const path = '/v1/invoices/create_preview'
    await stack.emulator.fault({ method: 'POST', path, kind: 'delay', delay_ms: 2000 })
    const answerBy = (await stack.emulator.now()) * 1000 + 300
    const startedAt = Date.now()
    const said = await previewSubscription('{"items":[{"price":"price_1"}]}', null, { answerBy })
    expect([said.kind, Date.now() - startedAt < 1800]).toEqual(['unknown', true])
  })
})

describe('previewCheckout', () => {
  it('gives every call to the gateway the same end, no later than a read may take', async () => {
    const asked: unknown[] = []
    const noted = <Value>(limits: unknown, value: Value) => {
      asked.push(limits)
      return ok(value)
    }
    const price = { id: 'price_1', gatewayProductId: 'prod_1', currency: 'usd' }
    const amounts = { amount: 100, discount: 0, tax: 0, total: 100, currency: 'usd' }
    const coupon = {
      id: 'c',
      code: 'C',
      promotionCodeId: null,
      gatewayProductIds: null,
      currency: null,
      mayCoverAll: false,
    }
    const deps = fakeBilling({
      records: {
        read: async () => ({
          role: 'owner',
          account,
          slots: products.map((name) => emptySlot(account.organizationId, name)),
        }),
        isRedeemed: async () => false,
      },
      gateway: {
        prices: async (limits) => noted(limits, new Map([['base_ota', price]])),
        findCoupon: async (_, limits) => noted(limits, coupon),
        freezeSubscription: () => '{}',
        previewSubscription: async (_, __, limits) => noted(limits, amounts),
      },
    })
    const request = { organizationId, caller, productCodes: ['base_ota'], couponCode: 'C' }
    expect(await previewCheckout(deps, request)).toMatchObject({ total: 100, currency: 'usd' })
    const limits = { answerBy: noon * 1000 + READ_BUDGET }
    expect(asked).toEqual([{ ...limits, fresh: true }, limits, limits])
  })
})
