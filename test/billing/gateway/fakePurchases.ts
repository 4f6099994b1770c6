import * as z from 'zod'
import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { Amounts, PurchaseKey, Purchases } from '../../../lib/billing/gateway/gatewayPorts.ts'
import {
  type GatewaySubscription,
  isEnded,
  purchaseReferenceSchema,
} from '../../../lib/billing/gateway/subscription.ts'
import { AMOUNT, createFakeKeys, done, type FakeBooks, type FakePrice, type FakeSale, refusal } from './fakeBooks.ts'

const frozenSchema = z.object({
  price: z.string(),
  card: z.string().optional(),
  coupon: z.string().optional(),
  reference: purchaseReferenceSchema,
})

/** `Purchases` of the fake gateway. */
export function createFakePurchases(books: FakeBooks): Purchases {
  const keyed = createFakeKeys<GatewaySubscription>(books)

  function amountsOf(due: number, { currency }: FakePrice): Amounts {
    return { amount: AMOUNT, discount: AMOUNT - due, tax: 0, total: due, currency }
  }

  function sell(frozenRequest: string, customerId: string): GatewayAnswer<GatewaySubscription> {
    const { price: id, card, coupon, reference } = frozenSchema.parse(JSON.parse(frozenRequest))
    const customer = books.customers.get(customerId)
    if (!customer || customer.deleted) return refusal('customer_missing')
    const price = priceOf(id)
    if (!price) return refusal('price_unavailable')
    if (hasOtherCurrency(customerId, price)) return refusal('currency_mismatch')
    const discount = coupon === undefined ? undefined : books.coupons.get(coupon)
    if (coupon !== undefined && !discount) return refusal('coupon_invalid')
    if (card !== undefined && !customer.cards.has(card)) return refusal('payment_method_invalid')
    const off = discount?.off ?? 0
    if (books.takesCards && off < 1 && (card ?? customer.defaultCard) === null)
      return refusal('payment_method_required')
    const applied = discount ? { id: discount.id, code: discount.code } : null
    const terms = { customerId, price, purchase: reference, coupon: applied, card: card ?? null }
    return done(books.view(books.sell(terms, off)))
  }

  /** Runs on a sale that has not ended. */
  function change(id: string, work: (sale: FakeSale) => void): Promise<GatewayAnswer<GatewaySubscription>> {
    return books.change(() => {
      const sale = books.sales.get(id)
      if (!sale || isEnded(sale.status)) return refusal('not_found')
      work(sale)
      return done(books.view(sale))
    })
  }

  const priceOf = (id: string) => [...books.prices.values()].find((price) => price.id === id)
  const salesOf = (customerId: string) => [...books.sales.values()].filter((sale) => sale.customerId === customerId)
  const isOpen = ({ status }: FakeSale) => !isEnded(status)
  const hasOtherCurrency = (customerId: string, { currency }: FakePrice) =>
    salesOf(customerId).some((sale) => isOpen(sale) && sale.price.currency !== currency)

  return {
    freezeSubscription: ({ price, paymentMethodId, coupon, purchase }) =>
      JSON.stringify({ price: price.id, card: paymentMethodId, coupon: coupon?.id, reference: purchase }),

    async createSubscription(frozenRequest, customerId, key, { sendUntil, answerBy }) {
      if (books.clock.now() >= Math.min(sendUntil, answerBy))
        return { kind: 'unknown', saved: false, notExecuted: true }
      return books.change(() => keyed(key, `${customerId} ${frozenRequest}`, () => sell(frozenRequest, customerId)))
    },

    previewSubscription: (frozenRequest, customerId) =>
      books.call(() => {
        const { price: priceId, coupon } = frozenSchema.parse(JSON.parse(frozenRequest))
        const discount = coupon === undefined ? undefined : books.coupons.get(coupon)
        const price = priceOf(priceId)
        if (!price) return refusal('price_unavailable')
        if (customerId !== null && hasOtherCurrency(customerId, price)) return refusal('currency_mismatch')
        if (coupon !== undefined && !discount) return refusal('coupon_invalid')
        return done(amountsOf(AMOUNT * (1 - (discount?.off ?? 0)), price))
      }),

    previewOpenPayment: (id) =>
      books.call(() => {
        const sale = books.sales.get(id)
        return sale
          ? done({ status: sale.status, amounts: amountsOf(sale.bill.due, sale.price) })
          : refusal('not_found')
      }),

    fetchSubscription: (id) =>
      books.call(() => {
        const sale = books.sales.get(id)
        return sale ? done(books.view(sale)) : refusal('not_found')
      }),

    findSubscription: (customerId, purchase, frozenRequest) =>
      books.call(() => {
        if (!books.customers.has(customerId)) return refusal('customer_missing')
        const all = salesOf(customerId)
        const claiming = all.filter((sale) => isPurchase(sale, purchase))
        const price = frozenSchema.safeParse(JSON.parse(frozenRequest)).data?.price
        const found =
          claiming.find(isOpen) ?? claiming[0] ?? all.find((sale) => isOpen(sale) && sale.price.id === price)
        return done(found ? books.view(found) : null)
      }),

    countPurchases: (customerId, purchase) =>
      books.call(() => done(salesOf(customerId).filter((sale) => isPurchase(sale, purchase)).length)),

    listOwnCards: (customerId) =>
      books.call(() => {
        if (!books.customers.has(customerId)) return refusal('customer_missing')
        const all = salesOf(customerId).filter((sale) => isOpen(sale) && sale.status !== 'incomplete')
        return done(all.map(({ id, card }) => ({ subscriptionId: id, paymentMethodId: card })))
      }),

    setPaymentMethod: (id, card) =>
      books.change(() => {
        const sale = books.sales.get(id)
        if (!sale || isEnded(sale.status)) return refusal('not_found')
        const isTheirs = card === null || books.customers.get(sale.customerId)?.cards.has(card)
        if (!isTheirs) return refusal('payment_method_invalid')
        sale.card = card
        return done(null)
      }),

    cancelAtPeriodEnd: (id, by, reason) =>
      change(id, (sale) => {
        sale.requested = { change: 'schedule', by, ...(reason && { reason }) }
        sale.cancelAt = sale.periodEnd
        books.note('changed', sale)
      }),

    resumeSubscription: (id, by) =>
      change(id, (sale) => {
        sale.requested = { change: 'resume', by }
        sale.cancelAt = null
        books.note('changed', sale)
      }),

    cancelNow: (id, why) =>
      change(id, (sale) => {
        sale.refundDue = why.kind === 'refund_due'
        sale.requested = null
        if (why.kind === 'asked') {
          const { by, reason, refundAfter } = why
          sale.requested = {
            change: 'cancel',
            by,
            ...(reason && { reason }),
            ...(refundAfter !== undefined && { refundAfter }),
          }
        }
        books.end(sale)
      }),
  }
}

function isPurchase({ purchase }: FakeSale, { organization_id, plan_code, n }: PurchaseKey): boolean {
  return purchase.organization_id === organization_id && purchase.plan_code === plan_code && purchase.n === n
}
