import { afterEach, beforeEach } from '@jest/globals'
import { planCodes } from '../../../lib/billing/catalog.ts'
import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { Coupon, Events, PaymentGateway } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription, PurchaseReference } from '../../../lib/billing/gateway/subscription.ts'
import { ATTEMPT, MINUTE } from '../../../lib/billing/timing.ts'
import type { VirtualClock } from '../../proof/world/worldTime.ts'
import { organizationId, purchase as purchaseOfOta } from '../fixtures.ts'

/** How the bank of a card answers a charge. */
export type Bank = 'pays' | 'declines' | 'asks'

/**
 * A gateway to be held to the contracts, with what only a test may do. It sells every product; it has the coupons `half`
 * (also as the promotion code `HALF`), `free`, which takes off everything, and `only_monitoring`.
 */
export interface GatewayUnderTest {
  readonly gateway: PaymentGateway
  /** Moves only when `pass` moves it. */
  readonly clock: VirtualClock
  /** Lets time pass at the gateway, and what is due there happen. */
  pass(milliseconds: number): void
  /** Gives the customer another card; undefined where the gateway takes none. */
  readonly addCard: ((customerId: string, bank: Bank) => Promise<string>) | undefined
  defaultCardOf(customerId: string): string | null
  /** Pays what is due for a subscription through the gateway, where it was not charged at once. */
  payDue(subscriptionId: string): void
  /** Notes at the gateway that what is due was paid outside it, by a transfer that somebody matched. */
  payOutside(subscriptionId: string): void
  /** Lets the period of a subscription pass, whose next invoice stays a draft until somebody opens it. */
  renewAsDraft(subscriptionId: string): void
  /** All money that went back, in the currency's smallest unit. */
  refunded(): number
  /** Sells the plan at another price from now on, in dollars unless a currency is given. */
  changePrice(planCode: string, currency?: string): void
  withdrawCoupon(id: string): void
  deleteCustomer(customerId: string): void
  /** Writes another purchase number over what the subscription says of itself. */
  editReference(subscriptionId: string, n: number): void
  /** What becomes of the next call on the wire: not executed; or, of one that changes something, executed and its answer lost. */
  faultNext(fault: 'not executed' | 'answer lost'): void
  verifier(secrets: readonly string[]): Events
  /** The event of the latest change of a subscription or customer, as it is sent. */
  latestEvent(): Uint8Array
  /** Signs a payload at a time, Unix seconds. */
  sign(payload: Uint8Array, secret: string, at: number): string
  close(): void
}

/** Which purchase is frozen; purchase 1 of `ota` with the default card where nothing else is said. */
interface Wanted {
  paymentMethodId?: string
  coupon?: Coupon
  purchase?: Partial<PurchaseReference>
}

/** In how many days what is sent is due. */
export const DAYS_UNTIL_DUE = 30

/** By when every gateway has asked for what is due: one that sends invoices does not do so at once. */
export const SENT = 120 * MINUTE

/** What a customer must have that is sent invoices. */
const invoiced = { name: 'Acme', email: 'billing@acme.example' }

/** A gateway that is open while a rule is tested, and how rules buy from it. */
export function useGateway(open: () => GatewayUnderTest) {
  let opened: GatewayUnderTest | undefined
  let keys = 0
  beforeEach(() => {
    opened = open()
  })
  afterEach(() => opened?.close())

  function it(): GatewayUnderTest {
    if (!opened) throw new Error('A rule opens its gateway')
    return opened
  }

  function newKey(): string {
    keys += 1
    return `key_${keys}`
  }

  async function customer(bank: Bank | 'none' = 'pays'): Promise<string> {
    const { customers, cards } = it().gateway
    const id = answered(await customers.createCustomer(organizationId, invoiced, newKey()))
    const card = bank === 'none' ? undefined : await it().addCard?.(id, bank)
    if (card !== undefined) await cards?.setDefaultCard(id, card)
    return id
  }

  async function freeze({ paymentMethodId, coupon, purchase }: Wanted = {}): Promise<string> {
    const price = answered(await it().gateway.catalog.prices({ fresh: true })).get(planCodes.ota)
    if (!price) throw new Error(`${planCodes.ota} is not sold`)
    const reference = { ...purchaseOfOta, ...purchase }
    return it().gateway.purchases.freezeSubscription({
      price,
      paymentMethodId,
      coupon,
      daysUntilDue: DAYS_UNTIL_DUE,
      purchase: reference,
    })
  }

  function send(frozen: string, customerId: string, key = newKey()): Promise<GatewayAnswer<GatewaySubscription>> {
    const until = it().clock.now() + ATTEMPT
    const limits = { sendUntil: until, answerBy: until, resend: false }
    return it().gateway.purchases.createSubscription(frozen, customerId, key, limits)
  }

  return {
    get it() {
      return it()
    },
    /** A key that was not used yet. */
    newKey,
    /** A new customer; where the gateway takes cards, with a default card of this bank. */
    customer,
    coupon: async (code: string): Promise<Coupon> => answered(await it().gateway.catalog.findCoupon(code)),
    /** The frozen request of a purchase. */
    freeze,
    /** Sends a frozen request now, with eight seconds to go. */
    send,
    /** Buys. @throws Error where it was not sold */
    buy: async (customerId: string, wanted: Wanted = {}): Promise<GatewaySubscription> =>
      answered(await send(await freeze(wanted), customerId)),
    /** How often purchase 1 of `ota` was sold to the customer. */
    sold: async (customerId: string): Promise<number> =>
      answered(await it().gateway.purchases.countPurchases(customerId, purchaseOfOta)),
  }
}

/** What an answer holds. @throws Error for any other answer */
export function answered<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind !== 'ok') throw new Error(`Not answered: ${JSON.stringify(answer)}`)
  return answer.value
}
