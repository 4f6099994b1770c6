import { describe, expect, it } from '@jest/globals'
import { DAY, MINUTE } from '../../../lib/billing/timing.ts'
import { purchase, userId } from '../fixtures.ts'
import { answered, type GatewayUnderTest, SENT, useGateway } from './gatewayUnderTest.ts'

const MONTH = 31 * DAY
const notFound = { kind: 'refused', reason: 'not_found' }

/** What every `Purchases` must do for the purchase protocol to hold. */
export function describePurchases(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const purchases = () => bed.it.gateway.purchases
  const refused = (reason: string) => ({ kind: 'refused', reason })
  const fetch = async (id: string) => answered(await purchases().fetchSubscription(id))

  describe('Purchases: a key', () => {
    it('sells once, however often it is sent with the same request, and says that it is an earlier answer', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      const first = await bed.send(frozen, customerId, 'sub:1')
      bed.it.pass(19 * 60 * MINUTE)
      const again = await bed.send(frozen, customerId, 'sub:1')
      expect([first, again]).toMatchObject([{ replayed: false }, { replayed: true }])
      expect(answered(again).id).toBe(answered(first).id)
      expect(await bed.sold(customerId)).toBe(1)
    })

    it('sells nothing with another request, and refuses nothing', async () => {
      const customerId = await bed.customer()
      await bed.send(await bed.freeze(), customerId, 'sub:1')
      const other = await bed.freeze({ coupon: await bed.coupon('half') })
      expect(await bed.send(other, customerId, 'sub:1')).toMatchObject({ kind: 'unknown' })
      expect(await bed.sold(customerId)).toBe(1)
    })

    it('of another purchase sells again', async () => {
      const customerId = await bed.customer()
      const ids = [await bed.buy(customerId), await bed.buy(customerId)].map(({ id }) => id)
      expect(new Set(ids).size).toBe(2)
      expect(await bed.sold(customerId)).toBe(2)
    })

    it('is not sent at or after its time, and the answer says that nothing was executed', async () => {
      const customerId = await bed.customer()
      const now = bed.it.clock.now()
      const limits = [
        { sendUntil: now, answerBy: now + MINUTE, resend: false },
        { sendUntil: now + MINUTE, answerBy: now, resend: true },
      ]
      const frozen = await bed.freeze()
      for (const limit of limits) {
        const answer = await purchases().createSubscription(frozen, customerId, bed.newKey(), limit)
        expect(answer).toMatchObject({ kind: 'unknown', notExecuted: true })
      }
      expect(await bed.sold(customerId)).toBe(0)
    })
  })

  describe('Purchases: a lost call', () => {
    it('that was executed is unknown, and its key and the list have the sale', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      bed.it.faultNext('answer lost')
      const lost = await bed.send(frozen, customerId, 'sub:1')
      expect(lost).toEqual({ kind: 'unknown', saved: false })
      const found = answered(await purchases().findSubscription(customerId, purchase, frozen))
      expect(answered(await bed.send(frozen, customerId, 'sub:1')).id).toBe(found?.id)
      expect(await bed.sold(customerId)).toBe(1)
    })

    it('that was not executed is unknown as well, and sold nothing', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      bed.it.faultNext('not executed')
      expect(await bed.send(frozen, customerId, 'sub:1')).toEqual({ kind: 'unknown', saved: false, notExecuted: true })
      expect(await bed.sold(customerId)).toBe(0)
      expect(await bed.send(frozen, customerId, 'sub:1')).toMatchObject({ kind: 'ok', replayed: false })
    })

    it('of a look-up or a cancellation is unknown: neither "absent" nor "ended"', async () => {
      const customerId = await bed.customer()
      const { id } = await bed.buy(customerId)
      const frozen = await bed.freeze()
      const calls = [
        () => purchases().fetchSubscription(id),
        () => purchases().findSubscription(customerId, purchase, frozen),
        () => purchases().countPurchases(customerId, purchase),
        () => purchases().listOwnCards(customerId),
        () => purchases().setPaymentMethod(id, null),
        () => purchases().cancelAtPeriodEnd(id, userId),
        () => purchases().resumeSubscription(id, userId),
        () => purchases().cancelNow(id, { kind: 'asked', by: userId }),
      ]
      for (const call of calls) {
        bed.it.faultNext('not executed')
        expect(await call()).toMatchObject({ kind: 'unknown' })
      }
      bed.it.faultNext('answer lost')
      expect(await purchases().cancelNow(id, { kind: 'asked', by: userId })).toMatchObject({ kind: 'unknown' })
      expect(await fetch(id)).toMatchObject({ status: 'canceled' })
    })
  })

  describe('Purchases: a sale', () => {
    it('is live, for its purchase and customer, until a period’s end, and reads the same when it is fetched', async () => {
      const customerId = await bed.customer()
      const sold = await bed.buy(customerId)
      const now = bed.it.clock.now() / 1000
      expect(sold).toMatchObject({ status: 'active', customerId, purchase, createdAt: now, cancelAt: null })
      expect(sold).toMatchObject({ endedAt: null, payment: { kind: 'none' }, refundDue: false })
      expect(sold.currentPeriodEnd).toBeGreaterThan(now + 27 * 86_400)
      expect(sold.invoiceId).toEqual(expect.stringMatching(/./))
      bed.it.payDue(sold.id)
      const { coveredUntil: _then, nextCharge: _next, ...rest } = sold
      expect(await fetch(sold.id)).toMatchObject({ ...rest, wasPaid: true, invoicePaidAt: now })
      expect(await purchases().fetchSubscription('unknown')).toMatchObject(notFound)
    })

    it('names the coupon that it was sold with, and who redeemed it', async () => {
      const customerId = await bed.customer()
      const coupon = await bed.coupon('half')
      const redeemed = { ...purchase, redeemer: 'f00d' }
      const sold = await bed.buy(customerId, { coupon, purchase: redeemed })
      expect(sold).toMatchObject({ coupon: { id: coupon.id, code: coupon.code }, purchase: redeemed })
      expect(await fetch(sold.id)).toMatchObject({ coupon: sold.coupon, purchase: redeemed })
      expect((await bed.buy(customerId)).coupon).toBeNull()
    })

    it('is covered until no later than the call was sent', async () => {
      const customerId = await bed.customer()
      const { id, coveredUntil } = await bed.buy(customerId)
      expect(coveredUntil).toBeLessThanOrEqual(bed.it.clock.now() / 1000)
      bed.it.pass(MINUTE)
      const later = (await fetch(id)).coveredUntil
      expect(later).toBeLessThanOrEqual(bed.it.clock.now() / 1000)
      expect(later).toBeGreaterThan(bed.it.clock.now() / 1000 - 5)
    })

    it('at nothing to pay is paid, and needs no card', async () => {
      const free = await bed.coupon('free')
      const { id, status } = await bed.buy(await bed.customer('none'), { coupon: free })
      bed.it.pass(SENT)
      expect([status, await fetch(id)]).toMatchObject(['active', { status: 'active', wasPaid: true }])
    })

    it('of a customer that is gone is refused as customer_missing', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      bed.it.deleteCustomer(customerId)
      expect(await bed.send(frozen, customerId)).toMatchObject(refused('customer_missing'))
      expect(await bed.send(frozen, 'unknown')).toMatchObject(refused('customer_missing'))
    })

    it('at a price that is not sold any more is refused as price_unavailable', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      bed.it.changePrice('base_ota')
      expect(await bed.send(frozen, customerId)).toMatchObject(refused('price_unavailable'))
      expect(await bed.sold(customerId)).toBe(0)
    })

    it('in a second currency is refused as currency_mismatch, and by its preview, until what is in the first has ended', async () => {
      const customerId = await bed.customer()
      const { id } = await bed.buy(customerId)
      bed.it.changePrice('base_ota', 'eur')
      const frozen = await bed.freeze({ purchase: { n: 2 } })
      const preview = () => purchases().previewSubscription(frozen, customerId, { answerBy: bed.it.clock.now() + 8000 })
      expect(await preview()).toMatchObject(refused('currency_mismatch'))
      expect(await bed.send(frozen, customerId)).toMatchObject(refused('currency_mismatch'))
      await purchases().cancelNow(id, { kind: 'asked', by: userId })
      expect(answered(await preview())).toMatchObject({ currency: 'eur' })
      expect(answered(await bed.send(frozen, customerId))).toMatchObject({ purchase: { n: 2 } })
    })

    it('with a coupon that was withdrawn is refused as coupon_invalid', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze({ coupon: await bed.coupon('free') })
      bed.it.withdrawCoupon('free')
      expect(await bed.send(frozen, customerId)).toMatchObject(refused('coupon_invalid'))
      expect(await bed.sold(customerId)).toBe(0)
    })

    it('of another purchase leaves a frozen request as it is, byte for byte, and names no customer', async () => {
      const customerId = await bed.customer()
      const frozen = await bed.freeze()
      await bed.buy(customerId)
      expect(await bed.freeze()).toBe(frozen)
      expect(frozen).not.toContain(customerId)
    })
  })

  describe('Purchases: a preview', () => {
    const limits = () => ({ answerBy: bed.it.clock.now() + 8000 })
    const previewed = async (frozen: string, customerId: string | null) =>
      answered(await purchases().previewSubscription(frozen, customerId, limits()))

    it.each([undefined, 'half', 'free'])(
      'is to the cent what the purchase is charged, with the coupon %s',
      async (code) => {
        const customerId = await bed.customer()
        const frozen = await bed.freeze(code === undefined ? {} : { coupon: await bed.coupon(code) })
        const amounts = await previewed(frozen, customerId)
        expect(amounts.total).toBe(amounts.amount - amounts.discount + amounts.tax)
        expect(await previewed(frozen, null)).toEqual(amounts)
        expect(await bed.sold(customerId)).toBe(0)
        const { id, status } = answered(await bed.send(frozen, customerId))
        bed.it.pass(SENT)
        const page = { limit: 1, after: undefined }
        const { rows } = answered(await bed.it.gateway.invoices.listInvoices(customerId, page, limits()))
        expect(rows).toMatchObject([{ amountDue: amounts.total, currency: amounts.currency, purchase }])
        expect(answered(await purchases().previewOpenPayment(id, limits()))).toEqual({ status, amounts })
      },
    )

    it('is unknown where it could not be asked for, and refused where the purchase would be', async () => {
      const frozen = await bed.freeze()
      bed.it.faultNext('not executed')
      expect(await purchases().previewSubscription(frozen, null, limits())).toMatchObject({ kind: 'unknown' })
      expect(await purchases().previewOpenPayment('unknown', limits())).toMatchObject(notFound)
      bed.it.changePrice('base_ota')
      expect(await purchases().previewSubscription(frozen, null, limits())).toMatchObject({ kind: 'refused' })
    })
  })

  describe('Purchases: what a subscription costs', () => {
    it.each([undefined, 'half', 'free'])(
      'is its price, and in the next period what that is charged, with the coupon %s for the first',
      async (code) => {
        const customerId = await bed.customer()
        const frozen = await bed.freeze()
        const full = answered(
          await purchases().previewSubscription(frozen, customerId, { answerBy: bed.it.clock.now() + 8000 }),
        )
        const { id } = await bed.buy(customerId, code === undefined ? {} : { coupon: await bed.coupon(code) })
        bed.it.changePrice('base_ota')
        bed.it.pass(SENT)
        const { price, nextCharge, currentPeriodEnd } = await fetch(id)
        expect(price).toEqual({ amount: full.amount, currency: full.currency, interval: 'month', intervalCount: 1 })
        expect(nextCharge).toEqual({ amount: full.total, at: currentPeriodEnd })
      },
    )

    it('is said by the sale, on which nothing else is open', async () => {
      const { id, price, nextCharge } = await bed.buy(await bed.customer())
      expect(nextCharge).toEqual({ amount: price?.amount, at: expect.any(Number) })
      expect(await fetch(id)).toMatchObject({ price, nextCharge })
    })

    it('is nothing more while its end is scheduled, until that is taken back, and once it has ended', async () => {
      const { id } = await bed.buy(await bed.customer())
      bed.it.pass(SENT)
      const { price, nextCharge } = await fetch(id)
      expect(answered(await purchases().cancelAtPeriodEnd(id, userId))).toMatchObject({ price, nextCharge: null })
      expect(answered(await purchases().resumeSubscription(id, userId))).toMatchObject({ price, nextCharge })
      const ended = answered(await purchases().cancelNow(id, { kind: 'asked', by: userId }))
      expect(ended).toMatchObject({ price, nextCharge: null })
      expect(await fetch(id)).toMatchObject({ price, nextCharge: null })
    })
  })

  describe('Purchases: an end', () => {
    it('is final: nothing cancels it again, and no time brings it back', async () => {
      const { id } = await bed.buy(await bed.customer())
      const ended = { status: 'canceled', endedAt: bed.it.clock.now() / 1000, refundDue: false }
      expect(answered(await purchases().cancelNow(id, { kind: 'asked', by: userId }))).toMatchObject(ended)
      expect(await purchases().cancelNow(id, { kind: 'asked', by: userId })).toMatchObject(notFound)
      expect(await purchases().cancelNow(id, { kind: 'refund_due' })).toMatchObject(notFound)
      expect(await purchases().cancelAtPeriodEnd(id, userId)).toMatchObject(notFound)
      expect(await purchases().resumeSubscription(id, userId)).toMatchObject(notFound)
      bed.it.pass(MONTH)
      expect(await fetch(id)).toMatchObject(ended)
      expect(await purchases().cancelNow('unknown', { kind: 'asked', by: userId })).toMatchObject(notFound)
    })

    it('at the period’s end is scheduled once, and comes then', async () => {
      const { id, currentPeriodEnd } = await bed.buy(await bed.customer())
      const scheduled = { status: 'active', cancelAt: currentPeriodEnd, endedAt: null }
      expect(answered(await purchases().cancelAtPeriodEnd(id, userId))).toMatchObject(scheduled)
      expect(answered(await purchases().cancelAtPeriodEnd(id, userId))).toMatchObject(scheduled)
      bed.it.pass(MONTH)
      expect(await fetch(id)).toMatchObject({ status: 'canceled' })
    })

    it('that is scheduled is taken back once or twice, says who asked, and does not come', async () => {
      const { id } = await bed.buy(await bed.customer())
      await purchases().cancelAtPeriodEnd(id, userId)
      const resumed = { status: 'active', cancelAt: null, requested: { change: 'resume', by: userId } }
      expect(answered(await purchases().resumeSubscription(id, userId))).toMatchObject(resumed)
      expect(answered(await purchases().resumeSubscription(id, userId))).toMatchObject(resumed)
      bed.it.pass(MONTH / 2)
      expect(await fetch(id)).toMatchObject(resumed)
    })

    it('of surplus says from then on that a refund is due', async () => {
      const { id } = await bed.buy(await bed.customer())
      expect(answered(await purchases().cancelNow(id, { kind: 'refund_due' }))).toMatchObject({ refundDue: true })
      expect(await fetch(id)).toMatchObject({ status: 'canceled', refundDue: true })
    })

    it('says from then on who asked for it, and nothing of surplus', async () => {
      const { id, requested } = await bed.buy(await bed.customer())
      expect(requested).toBeNull()
      await purchases().cancelAtPeriodEnd(id, userId)
      expect((await fetch(id)).requested).toEqual({ change: 'schedule', by: userId })
      await purchases().cancelNow(id, { kind: 'asked', by: userId })
      const { requested: ended, refundDue } = await fetch(id)
      expect({ ended, refundDue }).toEqual({ ended: { change: 'cancel', by: userId }, refundDue: false })
    })

    it('keeps the reason that the user gave, until the next change', async () => {
      const { id } = await bed.buy(await bed.customer())
      await purchases().cancelAtPeriodEnd(id, userId, 'too_expensive')
      expect((await fetch(id)).requested).toEqual({ change: 'schedule', by: userId, reason: 'too_expensive' })
      await purchases().resumeSubscription(id, userId)
      expect((await fetch(id)).requested).toEqual({ change: 'resume', by: userId })
      const asked = { by: userId, reason: 'unused', refundAfter: 1 } as const
      await purchases().cancelNow(id, { kind: 'asked', ...asked })
      expect((await fetch(id)).requested).toEqual({ change: 'cancel', ...asked })
    })

    it('comes with that of the customer', async () => {
      const customerId = await bed.customer()
      const { id } = await bed.buy(customerId)
      bed.it.deleteCustomer(customerId)
      expect(await fetch(id)).toMatchObject({ status: 'canceled' })
    })
  })

  describe('Purchases: what renewals are paid with', () => {
    it('is listed of each that is live, of the customer alone', async () => {
      const customerId = await bed.customer()
      const [kept, ended] = [await bed.buy(customerId), await bed.buy(customerId, { purchase: { n: 2 } })]
      await purchases().cancelNow(ended.id, { kind: 'asked', by: userId })
      await bed.buy(await bed.customer())
      const own = answered(await purchases().listOwnCards(customerId))
      expect(own.map(({ subscriptionId }) => subscriptionId)).toEqual([kept.id])
      expect(answered(await purchases().listOwnCards(await bed.customer()))).toEqual([])
    })

    it('is the customer’s default once it is null, and nothing is changed of one that has ended', async () => {
      const customerId = await bed.customer()
      const { id } = await bed.buy(customerId)
      for (const _time of [1, 2]) expect(await purchases().setPaymentMethod(id, null)).toMatchObject({ kind: 'ok' })
      const own = answered(await purchases().listOwnCards(customerId))
      expect(own).toEqual([{ subscriptionId: id, paymentMethodId: null }])
      await purchases().cancelNow(id, { kind: 'asked', by: userId })
      expect(await purchases().setPaymentMethod(id, null)).toMatchObject(notFound)
      expect(await purchases().setPaymentMethod('unknown', null)).toMatchObject(notFound)
    })
  })

  describe('Purchases: looking one up', () => {
    const find = async (customerId: string, n = 1) =>
      answered(await purchases().findSubscription(customerId, { ...purchase, n }, await bed.freeze()))

    it('finds it by its reference in every status, and no other purchase’s', async () => {
      const customerId = await bed.customer()
      expect(await find(customerId)).toBeNull()
      const { id } = await bed.buy(customerId)
      expect(await find(customerId)).toMatchObject({ id, status: 'active' })
      await purchases().cancelNow(id, { kind: 'asked', by: userId })
      expect(await find(customerId)).toMatchObject({ id, status: 'canceled' })
      expect(await find(customerId, 2)).toBeNull()
      expect(await find(await bed.customer())).toBeNull()
    })

    it('prefers the one that has not ended where several say that they are it, and counts all', async () => {
      const customerId = await bed.customer()
      const older = await bed.buy(customerId)
      const live = await bed.buy(customerId)
      const newer = await bed.buy(customerId)
      for (const { id } of [older, newer]) await purchases().cancelNow(id, { kind: 'asked', by: userId })
      expect(await find(customerId)).toMatchObject({ id: live.id })
      expect(await bed.sold(customerId)).toBe(3)
    })

    it('takes a live one that sells the frozen price where none says that it is it, and counts it not', async () => {
      const customerId = await bed.customer()
      const { id } = await bed.buy(customerId)
      bed.it.editReference(id, 7)
      expect(await find(customerId)).toMatchObject({ id })
      expect(await bed.sold(customerId)).toBe(0)
      await purchases().cancelNow(id, { kind: 'asked', by: userId })
      expect(await find(customerId)).toBeNull()
    })

    it('takes none for it that has ended, unless it says so, and that one before a live one of the same price', async () => {
      const customerId = await bed.customer()
      const own = await bed.buy(customerId)
      await purchases().cancelNow(own.id, { kind: 'asked', by: userId })
      await bed.buy(customerId, { purchase: { n: 7 } })
      expect(await find(customerId)).toMatchObject({ id: own.id, status: 'canceled' })
    })
  })
}

/** What every `Purchases` that charges cards must do besides. */
export function describeCardPurchases(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const purchases = () => bed.it.gateway.purchases
  const addCard = async (customerId: string, bank: 'pays' | 'declines' | 'asks') =>
    (await bed.it.addCard?.(customerId, bank)) ?? 'no card'

  describe('Purchases with cards', () => {
    it('charge the card that is named, or else the default', async () => {
      const customerId = await bed.customer('declines')
      const paymentMethodId = await addCard(customerId, 'pays')
      expect(await bed.buy(customerId, { paymentMethodId })).toMatchObject({ status: 'active', wasPaid: true })
      expect(await bed.buy(await bed.customer('pays'))).toMatchObject({ status: 'active', wasPaid: true })
    })

    it('that the bank declined are not live, and the answer says so', async () => {
      const customerId = await bed.customer('declines')
      const sold = await bed.buy(customerId)
      expect(sold).toMatchObject({ status: 'incomplete', wasPaid: false })
      expect(sold.payment).toEqual({ kind: 'declined', declineCode: expect.stringMatching(/./) })
      expect(answered(await purchases().fetchSubscription(sold.id)).payment).toEqual(sold.payment)
    })

    it('that wait for their buyer have a secret for this card, and end unpaid where nothing comes of it', async () => {
      const customerId = await bed.customer('none')
      const paymentMethodId = await addCard(customerId, 'asks')
      const sold = await bed.buy(customerId, { paymentMethodId })
      const payment = { kind: 'requires_action', clientSecret: expect.stringMatching(/./), paymentMethodId }
      expect(sold).toMatchObject({ status: 'incomplete', wasPaid: false, payment })
      const found = await purchases().findSubscription(customerId, purchase, await bed.freeze())
      expect(answered(found)).toMatchObject({ id: sold.id, status: 'incomplete', payment })
      bed.it.pass(DAY)
      const ended = { status: 'canceled', wasPaid: false }
      expect(answered(await purchases().fetchSubscription(sold.id))).toMatchObject(ended)
    })

    it('name their own card, each but one that waits for its first payment, until they are given another', async () => {
      const customerId = await bed.customer('none')
      const [first, second] = [await addCard(customerId, 'pays'), await addCard(customerId, 'pays')]
      const { id } = await bed.buy(customerId, { paymentMethodId: first })
      const asking = await addCard(customerId, 'asks')
      const waiting = await bed.buy(customerId, { paymentMethodId: asking, purchase: { n: 2 } })
      expect(waiting).toMatchObject({ status: 'incomplete' })
      const own = async () => answered(await purchases().listOwnCards(customerId))
      expect(await own()).toEqual([{ subscriptionId: id, paymentMethodId: first }])
      expect(await purchases().setPaymentMethod(id, second)).toMatchObject({ kind: 'ok' })
      expect(await own()).toEqual([{ subscriptionId: id, paymentMethodId: second }])
      bed.it.faultNext('answer lost')
      expect(await purchases().setPaymentMethod(id, first)).toMatchObject({ kind: 'unknown' })
      expect(await own()).toEqual([{ subscriptionId: id, paymentMethodId: first }])
    })

    it('take no card of another customer, no unknown and no removed one', async () => {
      const customerId = await bed.customer('none')
      const [own, removed] = [await addCard(customerId, 'pays'), await addCard(customerId, 'pays')]
      const foreign = await addCard(await bed.customer('none'), 'pays')
      const { id } = await bed.buy(customerId, { paymentMethodId: own })
      await bed.it.gateway.cards?.removeCard(removed)
      for (const card of [foreign, 'pm_unknown', removed]) {
        const answer = await purchases().setPaymentMethod(id, card)
        expect(answer).toMatchObject({ kind: 'refused', reason: 'payment_method_invalid' })
      }
      const kept = answered(await purchases().listOwnCards(customerId))
      expect(kept).toEqual([{ subscriptionId: id, paymentMethodId: own }])
    })

    it('are refused without any card, and with a card of another customer', async () => {
      const customerId = await bed.customer('none')
      const foreign = await addCard(await bed.customer('none'), 'pays')
      const without = await bed.send(await bed.freeze(), customerId)
      expect(without).toMatchObject({ kind: 'refused', reason: 'payment_method_required' })
      const withForeign = await bed.send(await bed.freeze({ paymentMethodId: foreign }), customerId)
      expect(withForeign).toMatchObject({ kind: 'refused', reason: 'payment_method_invalid' })
      expect(await bed.sold(customerId)).toBe(0)
    })
  })
}
