import type { OrganizationId, PrincipalId } from '../../core/ids.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { GatewayEvent } from './gatewayEvent.ts'
import type { GatewayName } from './gatewayName.ts'
import type { Page } from './page.ts'
import type {
  GatewaySubscription,
  ListedSubscription,
  PaymentOutcome,
  PurchaseReference,
  SubscriptionState,
} from './subscription.ts'
import type { TaxIdType } from './taxIdTypes.ts'

/** What a price list shows of a product: its name, and what a period costs in the currency's smallest unit. */
export interface Offer {
  name: string
  description: string | null
  amount: number
  /** ISO 4217 in lower case. */
  currency: string
  interval: 'month' | 'year'
  intervalCount: number
}

/** A price of the gateway's catalog. */
export interface Price {
  id: string
  gatewayProductId: string
  /** Absent where the price is not one amount for so many months or years, or its product has no name. */
  offer?: Offer
}

/** By when a read must be answered, Unix milliseconds; after that it is aborted, and `unknown`. */
export interface ReadLimits {
  answerBy: number
}

/** A coupon that may be redeemed now. */
export interface Coupon {
  id: string
  code: string
  promotionCodeId: string | null
  /** Gateway products it is limited to; null for any. */
  gatewayProductIds: readonly string[] | null
  /** Whether it may take off the whole price, so that nothing is left to pay with a card. */
  mayCoverAll: boolean
}

/** What is sold, and at what discount. Never throws: what went wrong is in the answer. So do the other ports of a gateway. */
export interface Catalog {
  /** The active prices by plan code, at most five minutes old; `fresh` asks for them anew. */
  prices(options?: { fresh?: boolean } & Partial<ReadLimits>): Promise<GatewayAnswer<ReadonlyMap<string, Price>>>
  /** An active promotion code in any case, or else a coupon by its id; `refused` `coupon_invalid` when it cannot be redeemed. */
  findCoupon(code: string, limits?: ReadLimits): Promise<GatewayAnswer<Coupon>>
}

/** What a customer is created with. It is personal: kept no longer than until the customer is bound, and never logged. */
export interface CustomerRequest {
  name: string
  /** Left out where the user who asks has none that is verified, and where the gateway does not take it. */
  email?: string
}

/** A postal address; its country is a code of ISO 3166-1 alpha-2. */
export interface Address {
  line1: string | null
  line2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
}

/** What the gateway prints on invoices, and where it sends them. Personal: shown to the organization, neither stored here nor logged. */
export interface CustomerDetails {
  name: string | null
  email: string | null
  address: Address | null
  /** `type` is a `TaxIdType`, or one that the gateway has learned since. */
  taxId: { type: string; value: string } | null
  /** ISO 4217 in lower case, once the customer was billed; null before. */
  currency: string | null
}

/** What is left out stays as it is; null deletes it. An address is replaced as a whole. */
export interface DetailsChange {
  name?: string
  email?: string
  address?: Address | null
  taxId?: { type: TaxIdType; value: string } | null
}

/** The part of a change that the gateway does not take. */
export type DetailsField =
  | 'name'
  | 'email'
  | 'address'
  | `address.${'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country'}`
  | `tax_id.${'type' | 'value'}`

/** The organization's customer at the gateway. */
export interface Customers {
  /** `refused` `email_invalid` where the gateway does not take the address. */
  createCustomer(organizationId: OrganizationId, request: CustomerRequest, key: string): Promise<GatewayAnswer<string>>
  /** Whether a customer was deleted; `refused` where this key does not see it: it may be one of another account or mode. */
  fetchCustomer(customerId: string): Promise<GatewayAnswer<{ deleted: boolean }>>
  /** Deletes the customer for good, with its cards, and cancels its subscriptions; its invoices stay. `refused` where it is gone already. */
  deleteCustomer(customerId: string): Promise<GatewayAnswer<null>>
  /** `refused` `customer_missing` for a customer that was deleted. Of several tax ids, the newest. */
  fetchDetails(customerId: string, limits: ReadLimits): Promise<GatewayAnswer<CustomerDetails>>
  /**
   * Changes everything, or nothing where the gateway refuses a part, which it answers with. Where the outcome is unknown some may be
   * changed; sent again, it ends the same.
   */
  changeDetails(
    customerId: string,
    change: DetailsChange,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<{ details: CustomerDetails } | { refusedAt: DetailsField }>>
}

/** A saved card, as much of it as may be shown. */
export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** Pays whatever names no card of its own. */
  isDefault: boolean
}

/** A card beside the default one of its customer, which it may be itself. */
export interface CardOfCustomer {
  card: Card
  defaultId: string | null
}

/** The customer's cards. No card data passes here: the browser sends it to the gateway. */
export interface Cards {
  /** The client secret of a SetupIntent restricted to cards, for off-session use: for at least 24 h the same one to the same `key`. */
  createSetupIntent(customerId: string, organizationId: OrganizationId, key?: string): Promise<GatewayAnswer<string>>
  /** The customer's cards, newest first. */
  listCards(customerId: string, limits: ReadLimits): Promise<GatewayAnswer<readonly Card[]>>
  /** One of the customer's cards, and the id of its default one; null for a card that is not the customer's. */
  fetchCard(customerId: string, paymentMethodId: string): Promise<GatewayAnswer<CardOfCustomer | null>>
  /** The id of the customer's default card; null where it has none. */
  fetchDefaultCard(customerId: string): Promise<GatewayAnswer<string | null>>
  /** Makes one of the customer's cards its default; `refused` for any other card. */
  setDefaultCard(customerId: string, paymentMethodId: string): Promise<GatewayAnswer<null>>
  /** Takes a card off its customer, for good; `refused` for one that is on none. */
  removeCard(paymentMethodId: string): Promise<GatewayAnswer<null>>
  /** Makes a card the customer's default where it has none. */
  setFirstDefaultCard(customerId: string, paymentMethodId: string): Promise<GatewayAnswer<null>>
}

/** Which purchase of which slot. */
export type PurchaseKey = Pick<PurchaseReference, 'organization_id' | 'plan_code' | 'n'>

/** Until when a call may be sent and awaited, Unix milliseconds; `resend` marks a key that an earlier invocation may have sent. */
export interface CallLimits {
  sendUntil: number
  answerBy: number
  resend: boolean
}

/** What is charged at one time, in the currency's smallest unit: `total` is `amount` less `discount`, with tax that the price does not include. */
export interface Amounts {
  amount: number
  discount: number
  tax: number
  total: number
  /** ISO 4217 in lower case. */
  currency: string
}

/** What renewals of a subscription are paid with; the customer's default where it is null. */
export interface OwnCard {
  subscriptionId: string
  paymentMethodId: string | null
}

/** Subscriptions: each is one purchase of one product. A payment method is optional; a gateway may have none. */
export interface Purchases {
  /** The parameters of a subscription, without the customer, to be stored and sent as they are. */
  freezeSubscription(request: {
    priceId: string
    paymentMethodId: string | undefined
    coupon: Coupon | undefined
    /** How many days the organization has to pay an invoice, where the gateway sends it one. */
    daysUntilDue?: number | undefined
    purchase: PurchaseReference
  }): string
  createSubscription(
    frozenRequest: string,
    customerId: string,
    key: string,
    limits: CallLimits,
  ): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * What a frozen request would charge at once, by the same rules as its purchase; nothing is created.
   * @param customerId null for an organization that has no customer yet
   */
  previewSubscription(
    frozenRequest: string,
    customerId: string | null,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<Amounts>>
  /** What the latest invoice of a subscription asks for, and the subscription's status now; `amounts` is null where it has no invoice. */
  previewOpenPayment(
    subscriptionId: string,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<{ status: SubscriptionState; amounts: Amounts | null }>>
  fetchSubscription(subscriptionId: string): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * The subscription of a purchase among all of the customer's in every status, or null. By list and not by search, which
   * lags; where several claim the same purchase, one that has not ended. Metadata may have been edited: where none claims it, a live
   * one that sells the price of the frozen request is taken for it, for the product is not sold twice.
   */
  findSubscription(
    customerId: string,
    purchase: PurchaseKey,
    frozenRequest: string,
  ): Promise<GatewayAnswer<GatewaySubscription | null>>
  /** How many of the customer's subscriptions, in every status, say that they are this purchase: our key makes one at most. */
  countPurchases(customerId: string, purchase: PurchaseKey): Promise<GatewayAnswer<number>>
  /** What each of the customer's subscriptions is paid with that has neither ended nor is `incomplete`. */
  listOwnCards(customerId: string): Promise<GatewayAnswer<readonly OwnCard[]>>
  /** Renewals are paid with it; with the customer's default where it is null. `not_found` for a subscription that has ended. */
  setPaymentMethod(subscriptionId: string, paymentMethodId: string | null): Promise<GatewayAnswer<null>>
  /** Who asked is written with the cancellation, and is read with the subscription as `requested` from then on. */
  cancelAtPeriodEnd(subscriptionId: string, by: PrincipalId): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * Takes back a cancellation that is scheduled, at the end of the period or at any other time; repeating it changes nothing. Who asked
   * is written with it, as with a cancellation.
   */
  resumeSubscription(subscriptionId: string, by: PrincipalId): Promise<GatewayAnswer<GatewaySubscription>>
  /** @param why who asked, or of surplus `refundDue`; written with the cancellation, and read with the subscription from then on */
  cancelNow(
    subscriptionId: string,
    why: { by: PrincipalId } | { refundDue: true },
  ): Promise<GatewayAnswer<GatewaySubscription>>
}

/** An invoice that was paid. */
export interface PaidInvoice {
  /** Unix seconds. */
  paidAt: number
  /** Nothing of the payment is kept; so too where nothing had to be paid. */
  refunded: boolean
  /** Whether the gateway can give it back: only a person can return what was paid outside it. */
  refundable: boolean
  /** Sent to its customer to be paid later: that may be after the end of what it is for. */
  paidLater: boolean
}

/** A page of a list: at most `limit` rows, which follow the one at the cursor `after`. */
export interface PageRequest {
  limit: number
  after: string | undefined
}

/** An invoice as its customer sees it. Amounts are in the currency's smallest unit, times in Unix seconds. */
export interface InvoiceRow {
  id: string
  number: string | null
  status: 'open' | 'paid' | 'uncollectible' | 'void'
  /** Whose purchase it charges, as the subscription's metadata said then; null where they did not say it. */
  purchase: PurchaseReference | null
  /** The prices of its lines. */
  priceIds: readonly string[]
  amountDue: number
  amountPaid: number
  currency: string
  createdAt: number
  dueAt: number | null
  paidAt: number | null
  /** Pages of the gateway that open without signing in, for anyone who has the address. */
  hostedInvoiceUrl: string | null
  invoicePdf: string | null
}

/** An invoice that is to be paid. `payment`: what came of paying it so far. */
export interface UnpaidInvoice {
  id: string
  isDraft: boolean
  payment: PaymentOutcome
}

/** What subscriptions were charged. */
export interface Invoices {
  /** A page of the customer's invoices, newest first, without drafts. */
  listInvoices(customerId: string, page: PageRequest, limits: ReadLimits): Promise<GatewayAnswer<Page<InvoiceRow>>>
  /** The subscription's newest open invoice, or else its newest draft; null where there is neither. */
  findUnpaidInvoice(subscriptionId: string): Promise<GatewayAnswer<UnpaidInvoice | null>>
  /** Opens a draft without charging it. */
  finalizeInvoice(invoiceId: string): Promise<GatewayAnswer<null>>
  payInvoice(invoiceId: string, paymentMethodId: string | undefined, key: string): Promise<GatewayAnswer<null>>
  /** Every invoice of the subscription that was paid, also with nothing to pay. */
  listPaidInvoices(subscriptionId: string): Promise<GatewayAnswer<readonly PaidInvoice[]>>
  /**
   * Refunds what the subscription's invoices were paid, and voids what was sent to its customer to be paid; repeating it refunds nothing
   * twice. `refused` where a payment was made outside the gateway, after everything else was done.
   */
  refundSubscription(subscriptionId: string): Promise<GatewayAnswer<null>>
}

/** Recognizes the gateway's own events. */
export interface Events {
  /**
   * The event in a payload that an accepted secret signed at most 300 s ago or ahead; null for any other payload.
   * @param payload the raw bytes, exactly as received
   */
  verify(payload: Uint8Array, signature: string | undefined): GatewayEvent | null
}

/** One gateway, by what is wanted of it. */
export interface PaymentGateway {
  /** The details of a customer without which it sells nothing. */
  readonly needs: readonly ('name' | 'email' | 'address')[]
  readonly catalog: Catalog
  readonly customers: Customers
  readonly purchases: Purchases
  readonly invoices: Invoices
  /** Undefined where the gateway takes no cards. */
  readonly cards: Cards | undefined
}

/** Every gateway; `gatewayOf` picks the one that serves an organization. */
export type Gateways = Readonly<Record<GatewayName, PaymentGateway>>

/** Money that went back, by a person's decision or a bank's. */
export interface Reversal {
  kind: 'refund' | 'dispute'
  /** Whether all of the payment went back for good: refunded in full, or a dispute that was lost. */
  final: boolean
  paymentIntentId: string
}

/** A customer, and whether the gateway knows what its receipts need. */
export interface ListedCustomer {
  id: string
  hasName: boolean
  hasEmail: boolean
}

/** The gateway's lists, a page at a time. Never throws. */
export interface GatewayListing {
  /** Whose lists these are. */
  readonly gateway: GatewayName
  /** All subscriptions in every status, newest first, without the state of their open payments. */
  listSubscriptions(cursor?: string): Promise<GatewayAnswer<Page<ListedSubscription>>>
  /** The same, of one customer, every page. */
  listCustomerSubscriptions(customerId: string): Promise<GatewayAnswer<ListedSubscription[]>>
  /** All customers that are not deleted, newest first. */
  listCustomers(cursor?: string): Promise<GatewayAnswer<Page<ListedCustomer>>>
  /** Events of cards and customers since then (Unix seconds; 30 days are kept) that some endpoint did not acknowledge. */
  listUndeliveredEvents(since: number, cursor?: string): Promise<GatewayAnswer<Page<GatewayEvent>>>
  /** Refunds or disputes since then (Unix seconds). */
  listReversals(kind: Reversal['kind'], since: number, cursor?: string): Promise<GatewayAnswer<Page<Reversal>>>
  /** The subscription's invoice that this PaymentIntent paid; null for a payment of something else. */
  findPaidInvoice(paymentIntentId: string): Promise<GatewayAnswer<{ subscriptionId: string; invoiceId: string } | null>>
}
