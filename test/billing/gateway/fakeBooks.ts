import { planCodes } from '../../../lib/billing/catalog.ts'
import type { GatewayAnswer, RefusalReason } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { GatewayName } from '../../../lib/billing/gateway/gatewayName.ts'
import type {
  Coupon,
  CustomerDetails,
  DefaultCard,
  InvoiceRow,
  Price,
} from '../../../lib/billing/gateway/gatewayPorts.ts'
import {
  type GatewayCoupon,
  type GatewaySubscription,
  isEnded,
  type NextCharge,
  type PaymentOutcome,
  type PurchaseReference,
  type RequestedChange,
  type SubscriptionState,
} from '../../../lib/billing/gateway/subscription.ts'
import { DAY } from '../../../lib/billing/timing.ts'
import type { VirtualClock } from '../../proof/world/worldTime.ts'
import type { Bank } from './gatewayUnderTest.ts'

/** A customer; its cards are in the order in which they came. */
export interface FakeCustomer {
  details: CustomerDetails
  deleted: boolean
  cards: Map<string, Bank>
  defaultCard: string | null
  /** The default card that a user chose last. */
  chosen?: NonNullable<DefaultCard['chosen']>
  /** The card that became the default as the first set up, and as the first that paid. */
  remembered: { set_up?: string; paid?: string }
  /** The cards that were charged, in the order of their first charges. */
  paidCards: Set<string>
}

/** What is charged for one period. */
export interface FakeBill {
  id: string
  /** Unix seconds. */
  createdAt: number
  isDraft: boolean
  isVoid: boolean
  isWrittenOff: boolean
  /** Paid by a transfer that this gateway has not seen. */
  isOutside: boolean
  due: number
  /** Unix seconds; null where a card is charged. */
  dueAt: number | null
  /** Unix seconds; null while it is open. */
  paidAt: number | null
  back: number
  payment: PaymentOutcome
}

export type FakePrice = Pick<Price, 'id' | 'currency'>

/** One sold subscription, with its bills. Times are Unix seconds. */
export interface FakeSale {
  id: string
  customerId: string
  price: FakePrice
  purchase: PurchaseReference
  coupon: GatewayCoupon | null
  /** Its own card; the customer's default pays where it is null. */
  card: string | null
  status: SubscriptionState
  createdAt: number
  periodEnd: number
  cancelAt: number | null
  endedAt: number | null
  requested: RequestedChange | null
  refundDue: boolean
  /** The first one, which makes the sale a purchase once it is paid. */
  bill: FakeBill
  /** Those of later periods, the newest last. */
  later: FakeBill[]
}

/** What the gateway says to its event's receiver: its own few words. */
export interface FakeNotice {
  about: 'sold' | 'changed' | 'ended' | 'customer gone'
  at: number
  sale: string | null
  customer: string
  reference: PurchaseReference | null
}

export interface FakeOptions {
  clock: VirtualClock
  name: GatewayName
  takesCards: boolean
}

const MONTH = (30 * DAY) / 1000
export const AMOUNT = 4900
/** How long an open payment waits for its buyer, in seconds. */
const PATIENCE = 23 * 3600

/** When the first bill is sent that no card pays, in seconds. */
const SENT_AFTER = 3600

/** Everything that the fake gateway knows. Nothing is shared with its callers: what they get is made for them. */
export function createFakeBooks({ clock, name, takesCards }: FakeOptions) {
  const customers = new Map<string, FakeCustomer>()
  const sales = new Map<string, FakeSale>()
  const notices: FakeNotice[] = []
  const prices = new Map(
    Object.values(planCodes).map((code): [string, FakePrice] => [code, { id: `${code}/0`, currency: 'usd' }]),
  )
  const anyProduct = { promotionCodeId: null, gatewayProductIds: null, currency: null, mayCoverAll: false }
  const coupons = new Map<string, Coupon & { off: number }>([
    ['half', { ...anyProduct, id: 'half', code: 'HALF', promotionCodeId: 'HALF', off: 0.5 }],
    ['free', { ...anyProduct, id: 'free', code: 'free', mayCoverAll: true, off: 1 }],
    [
      'only_monitoring',
      {
        ...anyProduct,
        id: 'only_monitoring',
        code: 'only_monitoring',
        gatewayProductIds: [planCodes.monitoring],
        off: 0.5,
      },
    ],
  ])
  let made = 0
  let fault: 'not executed' | 'answer lost' | undefined
  const seconds = () => Math.floor(clock.now() / 1000)
  const newBill = (due: number, createdAt: number): FakeBill => ({
    id: books.newId('bill'),
    createdAt,
    isDraft: false,
    isVoid: false,
    isWrittenOff: false,
    isOutside: false,
    due,
    dueAt: takesCards ? null : createdAt + 30 * 86_400,
    paidAt: null,
    back: 0,
    payment: { kind: 'none' },
  })

  const books = {
    customers,
    sales,
    prices,
    coupons,
    notices,
    takesCards,
    seconds,
    clock,
    newId(kind: string): string {
      made += 1
      return `${name}_${kind}_${made}`
    },
    faultNext(next: 'not executed' | 'answer lost') {
      fault = next
    },

    /** One call on the wire: what is due by now has happened, and the next fault meets it. */
    async call<Value>(
      work: () => GatewayAnswer<Value>,
      { changes } = { changes: false },
    ): Promise<GatewayAnswer<Value>> {
      const met = fault === 'answer lost' && !changes ? undefined : fault
      if (met) fault = undefined
      if (met === 'not executed') return { kind: 'unknown', saved: false, notExecuted: true }
      books.happen()
      const answer = work()
      return met === 'answer lost' ? { kind: 'unknown', saved: false } : answer
    },

    /** One call that changes something. */
    change: <Value>(work: () => GatewayAnswer<Value>) => books.call(work, { changes: true }),

    happen(): void {
      for (const sale of sales.values()) {
        if (sale.status === 'incomplete' && seconds() >= sale.createdAt + PATIENCE) books.end(sale)
        if (sale.cancelAt !== null && seconds() >= sale.cancelAt) books.end(sale)
        if (!takesCards && seconds() >= sale.createdAt + SENT_AFTER) sale.bill.isDraft = false
      }
    },

    end(sale: FakeSale): void {
      if (isEnded(sale.status)) return
      Object.assign(sale, { status: 'canceled', endedAt: seconds() })
      books.note('ended', sale)
    },

    note(about: FakeNotice['about'], { id, customerId, purchase }: FakeSale): void {
      notices.push({ about, at: seconds(), sale: id, customer: customerId, reference: { ...purchase } })
    },

    /** Sells to a customer that exists, and asks for the money: of a card at once, or else by its bill. */
    sell(terms: Pick<FakeSale, 'customerId' | 'price' | 'purchase' | 'coupon' | 'card'>, off: number): FakeSale {
      const at = seconds()
      const due = AMOUNT * (1 - off)
      const bill = { ...newBill(due, at), isDraft: !takesCards, paidAt: due === 0 ? at : null }
      const ends = { periodEnd: at + MONTH, cancelAt: null, endedAt: null }
      const sale: FakeSale = {
        ...terms,
        ...ends,
        id: books.newId('sale'),
        status: 'active',
        createdAt: at,
        requested: null,
        refundDue: false,
        bill,
        later: [],
      }
      sales.set(sale.id, sale)
      if (takesCards && due > 0) books.charge(sale, bill)
      books.note('sold', sale)
      return sale
    },

    /** Begins the next period of a sale, whose bill is a draft until somebody opens it. */
    renew(sale: FakeSale): void {
      sale.periodEnd += MONTH
      sale.later.push({ ...newBill(AMOUNT, seconds()), isDraft: true })
      books.note('changed', sale)
    },

    /** Charges an open bill of a sale to a card: the one that is named, or else the one it is paid with. @returns how its bank answered */
    charge(sale: FakeSale, bill: FakeBill, named?: string): Bank {
      const customer = customers.get(sale.customerId)
      const card = named ?? sale.card ?? customer?.defaultCard ?? null
      const bank = customer?.cards.get(card ?? '') ?? 'declines'
      if (bank === 'pays') {
        if (card !== null) customer?.paidCards.add(card)
        books.paid(sale, bill)
      } else {
        const clientSecret = `${bill.id}_secret`
        // A bill of a later period that is not paid changes nothing here: this gateway waits for it.
        if (bill === sale.bill) sale.status = 'incomplete'
        bill.payment =
          bank === 'asks'
            ? { kind: 'requires_action', clientSecret, paymentMethodId: card }
            : { kind: 'declined', declineCode: 'generic_decline' }
      }
      return bank
    },

    paid(sale: FakeSale, bill: FakeBill): void {
      if (bill === sale.bill) sale.status = 'active'
      Object.assign(bill, { isDraft: false, paidAt: seconds(), payment: { kind: 'none' } })
      books.note('changed', sale)
    },

    /** A bill of a sale, as its customer sees it. */
    row: ({ purchase, price, status }: FakeSale, bill: FakeBill): InvoiceRow => ({
      id: bill.id,
      number: bill.id,
      status: statusOf(bill),
      purchase: { ...purchase },
      priceIds: [price.id],
      amountDue: bill.due,
      amountPaid: bill.paidAt === null ? 0 : bill.due,
      currency: price.currency,
      createdAt: bill.createdAt,
      dueAt: bill.dueAt,
      paidAt: bill.paidAt,
      hostedInvoiceUrl: takesCards && isEnded(status) && isOpen(bill) ? null : pageOf(bill),
      invoicePdf: null,
    }),

    /** What the first bill of a sale waits for, which a card was charged for; after its end, whether the latest may still be paid. */
    charged({ status }: Pick<FakeSale, 'status'>, bills: readonly FakeBill[]): PaymentOutcome {
      const [first, latest] = [bills[0], bills.at(-1)]
      if (isEnded(status) && latest && isOpen(latest))
        return { kind: 'invoice_open', hostedInvoiceUrl: null, buysNothing: true }
      if (status !== 'incomplete' || !first) return { kind: 'none' }
      return first.isVoid ? { kind: 'voided' } : { ...first.payment }
    },

    /** The oldest bill that waits for the customer's transfer. */
    sent(bills: readonly FakeBill[]): PaymentOutcome {
      const open = bills.find(isOpen)
      return open ? { kind: 'invoice_open', hostedInvoiceUrl: pageOf(open) } : { kind: 'none' }
    },

    /** The first bill until it is sent, and then the next period's. */
    next({
      status,
      cancelAt,
      bill,
      createdAt,
      periodEnd,
    }: Pick<FakeSale, 'status' | 'cancelAt' | 'bill' | 'createdAt' | 'periodEnd'>): NextCharge | null {
      if (status !== 'active' || cancelAt !== null) return null
      return bill.isDraft && bill.paidAt === null
        ? { amount: bill.due, at: createdAt + SENT_AFTER }
        : { amount: AMOUNT, at: periodEnd }
    },

    view({ bill, later, periodEnd, price: listed, card: _card, ...sale }: FakeSale): GatewaySubscription {
      return {
        ...sale,
        gateway: name,
        purchase: { ...sale.purchase },
        coupon: sale.coupon && { ...sale.coupon },
        currentPeriodEnd: periodEnd,
        invoiceId: (later.at(-1) ?? bill).id,
        invoicePaidAt: (later.at(-1) ?? bill).paidAt,
        wasPaid: bill.paidAt !== null,
        payment: takesCards ? books.charged(sale, [bill, ...later]) : books.sent([bill, ...later]),
        price: { amount: AMOUNT, currency: listed.currency, interval: 'month', intervalCount: 1 },
        nextCharge: books.next({ ...sale, bill, periodEnd }),
        coveredUntil: seconds() - 1,
      }
    },
  }
  return books
}

/** Whether a bill is sent and waits for its payment. */
export const isOpen = (bill: FakeBill): boolean => !bill.isDraft && statusOf(bill) === 'open'

function statusOf({ isVoid, isWrittenOff, paidAt }: FakeBill): InvoiceRow['status'] {
  if (isVoid) return 'void'
  if (paidAt !== null) return 'paid'
  return isWrittenOff ? 'uncollectible' : 'open'
}

const pageOf = ({ id }: FakeBill): string => `https://bills.invalid/${id}`

/** Every bill of a sale, the oldest first. */
export const billsOf = ({ bill, later }: Pick<FakeSale, 'bill' | 'later'>): FakeBill[] => [bill, ...later]

export type FakeBooks = ReturnType<typeof createFakeBooks>

export const done = <Value>(value: Value): GatewayAnswer<Value> => ({ kind: 'ok', value, replayed: false })
export const refusal = (reason: RefusalReason): GatewayAnswer<never> => ({ kind: 'refused', reason })

/** Keys that are remembered for a day: the same request under one is answered as it was answered first. */
export function createFakeKeys<Value>({ clock }: Pick<FakeBooks, 'clock'>) {
  const kept = new Map<string, { at: number; request: string; answer: GatewayAnswer<Value> }>()
  return (key: string, request: string, work: () => GatewayAnswer<Value>): GatewayAnswer<Value> => {
    const first = kept.get(key)
    if (!first || clock.now() - first.at >= DAY) {
      const answer = work()
      kept.set(key, { at: clock.now(), request, answer })
      return answer
    }
    if (first.request !== request) return { kind: 'unknown', saved: false }
    return first.answer.kind === 'ok' ? { ...first.answer, replayed: true } : first.answer
  }
}
