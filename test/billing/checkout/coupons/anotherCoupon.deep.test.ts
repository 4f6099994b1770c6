import { describe, expect, it } from '@jest/globals'
import { billingState, bought, waiting } from '../../billingState.ts'
import { paidAmounts } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'
import { declinedWithCoupon } from './declinedWithCoupon.ts'

const bed = useCleanStack()

/** A declined purchase with a limited coupon, and another coupon. */
async function declinedAndAnother() {
  const second = await bed.stack.newCoupon({ percent_off: 50 })
  const { id, code, ...declined } = await declinedWithCoupon(bed.stack)
  return { ...declined, first: { id, code }, second }
}

/** One purchase was ended unpaid, and another was bought in its place. */
const replaced = { slot: 'active', subscriptions: ['active', 'incomplete_expired'], charges: 1 }

async function preview(organizationId: string, coupon: string) {
  const cart = { product_codes: ['base_ota'], coupon_code: coupon }
  return bed.stack.post('/api/billing/checkout/preview', organizationId, cart)
}

describe('POST /api/billing/checkout', () => {
  describe('Given a declined purchase with a coupon, and a request that names another coupon', () => {
    it('ends the purchase, gives its coupon back, and buys anew with the other coupon, as the preview says', async () => {
      const { stack } = bed
      const { organizationId, card, first, second } = await declinedAndAnother()
      expect(await preview(organizationId, second.code)).toMatchObject({
        status: 200,
        body: { subtotal: 4900, total: 2450, lines: [{ ok: true }] },
      })
      const { status, body } = await stack.post('/api/billing/checkout', organizationId, {
        product_codes: ['base_ota'],
        payment_method_id: card,
        coupon_code: second.code,
        expected_subtotal: 4900,
        currency: 'usd',
      })
      expect([status, body]).toMatchObject([201, [{ ok: true, subscription: { coupon_code: second.code } }]])
      expect(await billingState(stack, organizationId)).toEqual(replaced)
      expect(await paidAmounts(stack, organizationId)).toEqual([2450])
      expect(await stack.redemptions(first.id)).toEqual([])
      expect(await stack.redemptions(second.id)).toMatchObject([{ state: 'APPLIED', n: 2 }])
    })

    it('buys anew for another user, too', async () => {
      const { stack } = bed
      const { organizationId, card, second } = await declinedAndAnother()
      const options = { card, coupon: second.code, as: 'billing_admin' } as const
      expect((await stack.checkout(organizationId, ['base_ota'], options)).outcomes).toEqual(['bought active'])
      expect(await billingState(stack, organizationId)).toEqual(replaced)
    })

    it('answers card_declined if that card is declined as well, and keeps the new purchase open', async () => {
      const { stack } = bed
      const { organizationId, card, second } = await declinedAndAnother()
      const declined = await stack.checkout(organizationId, ['base_ota'], { coupon: second.code })
      expect([declined.status, declined.outcomes]).toEqual([402, ['card_declined']])
      const paid = await stack.checkout(organizationId, ['base_ota'], { coupon: second.code, card })
      expect(paid.outcomes).toEqual(['bought active'])
      expect(await paidAmounts(stack, organizationId)).toEqual([2450])
    })

    it.each([
      ['is unknown', 'coupon_invalid', unknownCoupon],
      ['is used up', 'coupon_expired', usedUpCoupon],
      ['is for another product', 'coupon_not_applicable', otherProductsCoupon],
      ['was redeemed by this user', 'coupon_already_redeemed', redeemedCoupon],
    ] as const)('ends nothing for a coupon that %s', async (_, error, newCode) => {
      const { stack } = bed
      const { organizationId, card, first } = await declinedAndAnother()
      const coupon = await newCode()
      expect((await stack.checkout(organizationId, ['base_ota'], { card, coupon })).outcomes).toEqual([error])
      expect(await billingState(stack, organizationId)).toEqual(waiting)
      const paid = await stack.checkout(organizationId, ['base_ota'], { card, coupon: first.code })
      expect(paid.outcomes).toEqual(['bought active'])
      expect(await paidAmounts(stack, organizationId)).toEqual([3675])
    })

    it('ends nothing if the price has changed since it was shown', async () => {
      const { stack } = bed
      const { organizationId, second } = await declinedAndAnother()
      const cart = { product_codes: ['base_ota'], coupon_code: second.code, expected_subtotal: 4800, currency: 'usd' }
      expect(await stack.post('/api/billing/checkout', organizationId, cart)).toMatchObject({
        status: 409,
        body: [{ error: 'price_changed' }],
      })
      expect(await billingState(stack, organizationId)).toEqual(waiting)
    })

    it('answers already_subscribed if the open invoice was paid meanwhile, and charges nothing', async () => {
      const { stack } = bed
      const { organizationId, card, first, second } = await declinedAndAnother()
      await stack.emulator.flush()
      await stack.emulator.webhooks('hold')
      const [subscription] = await stack.subscriptions(organizationId)
      await stack.stripe.invoices.pay(String(subscription?.latest_invoice), { payment_method: card })
      const late = await stack.checkout(organizationId, ['base_ota'], { card, coupon: second.code })
      expect([late.status, late.outcomes]).toEqual([409, ['already_subscribed']])
      expect(await billingState(stack, organizationId)).toEqual(bought)
      expect(await stack.redemptions(first.id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      expect(await stack.redemptions(second.id)).toEqual([])
    })

    it.each([
      ['voided its invoice', 'POST', (_: string, invoice: string) => `/v1/invoices/${invoice}/void`],
      ['canceled it', 'DELETE', (id: string) => `/v1/subscriptions/${id}`],
    ])('goes on when the cart is sent again, if the answer was lost that %s', async (_, method, pathOf) => {
      const { stack } = bed
      const { organizationId, card, first, second } = await declinedAndAnother()
      const [subscription] = await stack.subscriptions(organizationId)
      const path = pathOf(subscription?.id ?? '', String(subscription?.latest_invoice))
      await stack.emulator.fault({ method, path, kind: 'drop_after', times: 2 })
      const lost = await stack.checkout(organizationId, ['base_ota'], { card, coupon: second.code })
      expect([lost.status, lost.outcomes]).toEqual([503, ['gateway_unavailable']])
      const again = await stack.checkout(organizationId, ['base_ota'], { card, coupon: second.code })
      expect(again.outcomes).toEqual(['bought active'])
      expect(await billingState(stack, organizationId)).toEqual(replaced)
      expect(await stack.redemptions(first.id)).toEqual([])
    })

    it('makes one purchase of many requests at once, whichever coupon they name', async () => {
      const { stack } = bed
      const { organizationId, card, first, second } = await declinedAndAnother()
      const token = await stack.token()
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          stack.checkoutWith(token, organizationId, ['base_ota'], {
            card,
            coupon: index % 2 === 0 ? second.code : first.code,
          }),
        ),
      )
      const outcomes = new Set(answers.flatMap((answer) => answer.outcomes))
      outcomes.delete('bought active')
      const refusals = ['checkout_in_progress', 'already_subscribed', 'coupon_expired', 'gateway_unavailable']
      expect(refusals).toEqual(expect.arrayContaining([...outcomes]))
      await stack.emulator.flush()
      await stack.checkout(organizationId, ['base_ota'], { card, coupon: second.code })
      expect(await billingState(stack, organizationId)).toMatchObject({ slot: 'active', charges: 1 })
    })
  })

  describe('Given a purchase whose authentication failed', () => {
    it('makes room for a coupon, though it was bought without one and its event is late', async () => {
      const { stack } = bed
      const { organizationId, intentId } = await buyUnauthenticated(stack)
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      const { id, code } = await stack.newCoupon()
      await stack.emulator.webhooks('hold')
      await stack.emulator.authenticate(intentId, 'fail')
      const answer = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
      expect(answer.outcomes).toEqual(['bought active'])
      expect(await paidAmounts(stack, organizationId)).toEqual([3675])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 2 }])
    })
  })

  describe('Given a purchase whose buyer may be authenticating', () => {
    it('is not ended for another coupon: the line is coupon_invalid', async () => {
      const { stack } = bed
      const { organizationId, answer } = await buyUnauthenticated(stack)
      const { code } = await stack.newCoupon()
      const other = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([other.status, other.outcomes]).toEqual([400, ['coupon_invalid']])
      expect(await preview(organizationId, code)).toMatchObject({ body: { lines: [{ error: 'coupon_invalid' }] } })
      expect((await stack.checkout(organizationId, ['base_ota'])).body).toEqual(answer.body)
    })
  })

  describe('Given an unpaid purchase whose invoice was voided', () => {
    it('ends it and buys anew, for nothing can pay it any more', async () => {
      const { stack } = bed
      const { organizationId, card, first } = await declinedAndAnother()
      await stack.emulator.flush()
      const [subscription] = await stack.subscriptions(organizationId)
      await stack.stripe.invoices.voidInvoice(String(subscription?.latest_invoice))
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
      expect(await billingState(stack, organizationId)).toEqual(replaced)
      expect(await stack.redemptions(first.id)).toEqual([])
    })
  })
})

async function usedUpCoupon(): Promise<string> {
  const { stack } = bed
  const { code } = await stack.newCoupon({ max_redemptions: 1 })
  const { organizationId } = await stack.organizationWithCard()
  await stack.checkout(organizationId, ['base_ota'], { coupon: code })
  return code
}

async function otherProductsCoupon(): Promise<string> {
  return (await bed.stack.newCoupon({ applies_to: { products: ['prod_monitoring'] } })).code
}

async function redeemedCoupon(): Promise<string> {
  const { stack } = bed
  const { code } = await stack.newCoupon()
  const { organizationId } = await stack.organizationWithCard()
  expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code })).outcomes).toEqual(['bought active'])
  return code
}

async function unknownCoupon(): Promise<string> {
  return 'no_such_code'
}
