import type { OrganizationId, PrincipalId } from '../../core/ids.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { GatewayEvent } from './gatewayEvent.ts'
import type { GatewayName } from './gatewayName.ts'
import type {
  CancellationReason,
  GatewayCoupon,
  GatewaySubscription,
  ListedSubscription,
  PaymentOutcome,
  PurchaseReference,
  RequestedChange,
  SubscriptionState,
} from './subscription.ts'
import type { TaxIdType } from './taxIdTypes.ts'

/** What a price list shows of a product. `amount` is the price of a period in the currency's smallest unit. */
export interface Offer {
  name: string
  description: string | null
  amount: number
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
}

/** A price of the gateway's catalog. */
export interface Price {
  id: string
  gatewayProductId: string
  /** ISO 4217 in lower case. */
  currency: string
  /** Absent if the price is not a single amount for each period, or if its product has no name. */
  offer?: Offer
}

/** If the gateway does not answer a read by then (Unix milliseconds), the read is aborted and its outcome `unknown`. */
export interface ReadLimits {
  answerBy: number
}

/** A coupon that may be redeemed now. */
export interface Coupon {
  id: string
  code: string
  promotionCodeId: string | null
  /** The gateway products that it is limited to; null if it applies to all. */
  gatewayProductIds: readonly string[] | null
  /** ISO 4217 in lower case, if it takes off an amount; null if it takes off a part of any price. */
  currency: string | null
  /** Whether it may take off the whole price. Then nothing is left to pay with a card. */
  mayCoverAll: boolean
}

/** What is sold, and at what discount. Like all ports of a gateway, it never throws: what went wrong is in the answer. */
export interface Catalog {
  /** The active prices by plan code, at most five minutes old. `fresh` fetches them anew. */
  prices(options?: { fresh?: boolean } & Partial<ReadLimits>): Promise<GatewayAnswer<ReadonlyMap<string, Price>>>
  /**
   * Finds an active promotion code, ignoring case, or else a coupon by its id. A coupon with promotion codes, archived ones included, has a
   * public id only if its metadata say `code: "public"`: the id would go around what its codes demand. `refused` if it cannot be redeemed:
   * `coupon_expired` after its date or its last redemption, otherwise `coupon_invalid`.
   */
  findCoupon(code: string, limits?: ReadLimits): Promise<GatewayAnswer<Coupon>>
}

/** What a customer is created with. It is personal data: never logged, and kept only until the customer is bound. */
export interface CustomerRequest {
  name: string
  /** Left out if the user who asks has no verified email address, or if the gateway refuses it. */
  email?: string
}

/** A postal address. `country` is a code of ISO 3166-1 alpha-2. */
export interface Address {
  line1: string | null
  line2: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
}

/** What the gateway needs to print and send invoices. Personal data: shown to the organization, neither stored here nor logged. */
export interface CustomerDetails {
  name: string | null
  email: string | null
  address: Address | null
  /** `type` is a `TaxIdType`, or a type that the gateway has added since. */
  taxId: { type: string; value: string } | null
  /** ISO 4217 in lower case; null until the customer is billed. */
  currency: string | null
}

/** A member that is left out stays as it is; null deletes it. An address is replaced as a whole. */
export interface DetailsChange {
  name?: string
  email?: string
  address?: Address | null
  taxId?: { type: TaxIdType; value: string } | null
}

/** The part of a change that the gateway refuses. */
export type DetailsField =
  | 'name'
  | 'email'
  | 'address'
  | `address.${'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country'}`
  | `tax_id.${'type' | 'value'}`

/** The organization's customer at the gateway. */
export interface Customers {
  /** `refused` `email_invalid` if the gateway does not accept the email address. */
  createCustomer(organizationId: OrganizationId, request: CustomerRequest, key: string): Promise<GatewayAnswer<string>>
  /** Whether a customer was deleted. `refused` if this API key does not see it: it may belong to another account or mode. */
  fetchCustomer(customerId: string): Promise<GatewayAnswer<{ deleted: boolean }>>
  /** Deletes the customer for good, with its cards, and cancels its subscriptions. Its invoices stay. `refused` if it is already gone. */
  deleteCustomer(customerId: string): Promise<GatewayAnswer<null>>
  /** `refused` `customer_missing` if the customer was deleted. If it has several tax ids, returns the newest. */
  fetchDetails(customerId: string, limits: ReadLimits): Promise<GatewayAnswer<CustomerDetails>>
  /**
   * Changes everything. If the gateway refuses a part, it changes nothing and answers with that part. If the outcome is unknown, some
   * of it may be changed. Send the same change again to complete it.
   */
  changeDetails(customerId: string, change: DetailsChange, limits: ReadLimits): Promise<GatewayAnswer<ChangedDetails>>
}

/** What came of a change of details: the details after it, or the part of it that the gateway refuses. */
export type ChangedDetails = { kind: 'changed'; details: CustomerDetails } | { kind: 'refused_at'; field: DetailsField }

/** A saved card, reduced to what may be shown. */
export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** Pays if a subscription or payment names no card of its own. */
  isDefault: boolean
}

/** A card, with the id of its customer's default card, which may be the same. */
export interface CardOfCustomer {
  card: Card
  defaultId: string | null
  /** Why the default card is the default. */
  because?: DefaultCard['because']
}

/**
 * Why a card was made the default: a user chose it (`at`: Unix milliseconds), it was the first card set up, or the first that paid. The same
 * write remembers it.
 */
export type DefaultReason = { kind: 'chosen'; at: number } | { kind: 'set_up' } | { kind: 'paid' }

/** A customer's default card, and the choice of a user that was written last. They differ if another writer came after the user. */
export interface DefaultCard {
  /** Null if the customer has none. */
  id: string | null
  /** `at`: Unix milliseconds. */
  chosen?: { id: string; at: number }
  /** If no user chose the default, but this service did. */
  because?: 'set_up' | 'paid'
}

/** The customer's cards. No card data passes here: the browser sends it to the gateway. */
export interface Cards {
  /**
   * The client secret of a SetupIntent for off-session use, restricted to cards. The same `key` gets the same secret for at least 24 h.
   * @param setup whose card it is, and who sets it up: the gateway keeps both for its event
   */
  createSetupIntent(
    customerId: string,
    setup: { organizationId: OrganizationId; by: PrincipalId },
    key?: string,
  ): Promise<GatewayAnswer<string>>
  /** The customer's cards, newest first. */
  listCards(customerId: string, limits: ReadLimits): Promise<GatewayAnswer<readonly Card[]>>
  /** A card of the customer, and the id of the default card; null if the card is not the customer's. */
  fetchCard(customerId: string, paymentMethodId: string): Promise<GatewayAnswer<CardOfCustomer | null>>
  /** The customer's default card. A deleted customer has none. */
  fetchDefaultCard(customerId: string): Promise<GatewayAnswer<DefaultCard>>
  /**
   * Makes a card the customer's default, and returns what the customer has after this write. `refused` if the card is not the customer's.
   * @param because if left out, what was remembered stays
   */
  setDefaultCard(
    customerId: string,
    paymentMethodId: string,
    because?: DefaultReason,
  ): Promise<GatewayAnswer<DefaultCard>>
  /** The ids of the customer's cards that have paid, in the order of their first payments. A payment that went back counts. */
  listPaidCards(customerId: string, limits?: ReadLimits): Promise<GatewayAnswer<readonly string[]>>
  /** Takes a card off its customer for good. `refused` if no customer has it. */
  removeCard(paymentMethodId: string): Promise<GatewayAnswer<null>>
}

/** Which purchase of which slot. */
export type PurchaseKey = Pick<PurchaseReference, 'organization_id' | 'plan_code' | 'n'>

/** Until when a call may be sent and awaited, in Unix milliseconds. `resend`: an earlier invocation may have sent the key already. */
export interface CallLimits {
  sendUntil: number
  answerBy: number
  resend: boolean
}

/** A single charge, in the currency's smallest unit: `amount` and `discount` before tax; `amount - discount + tax` is `total`. */
export interface Amounts {
  amount: number
  discount: number
  tax: number
  total: number
  /** ISO 4217 in lower case. */
  currency: string
}

/** What pays for a subscription's renewals. If `paymentMethodId` is null, the customer's default does. */
export interface OwnCard {
  subscriptionId: string
  paymentMethodId: string | null
}

/** Subscriptions: each is a single purchase of a single product. A payment method is optional, because a gateway may have none. */
export interface Purchases {
  /** The parameters of a subscription, without the customer. Store and send them exactly as they are. */
  freezeSubscription(request: {
    price: Pick<Price, 'id' | 'currency'>
    paymentMethodId: string | undefined
    coupon: Coupon | undefined
    /** How many days the organization has to pay an invoice, if the gateway sends invoices. */
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
   * What a frozen request would charge at once, by the same rules as its purchase. Creates nothing.
   * @param customerId null if the organization has no customer yet
   */
  previewSubscription(
    frozenRequest: string,
    customerId: string | null,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<Amounts>>
  /** What a subscription's latest invoice asks for, and its current status. `amounts` is null if the subscription has no invoice. */
  previewOpenPayment(
    subscriptionId: string,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<{ status: SubscriptionState; amounts: Amounts | null }>>
  fetchSubscription(subscriptionId: string): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * Finds the subscription of a purchase among all of the customer's, in every status; null if there is none. Reads the list, because
   * search lags. If several claim the same purchase, prefers a subscription that has not ended. Metadata may have been edited: if no
   * subscription claims the purchase, a live subscription at the price of the frozen request counts as it, because a product is never
   * sold twice.
   */
  findSubscription(
    customerId: string,
    purchase: PurchaseKey,
    frozenRequest: string,
  ): Promise<GatewayAnswer<GatewaySubscription | null>>
  /** How many of the customer's subscriptions, in every status, say that they are this purchase. Our key makes at most one. */
  countPurchases(customerId: string, purchase: PurchaseKey): Promise<GatewayAnswer<number>>
  /** What pays for each of the customer's subscriptions. Leaves out a subscription if it has ended or is `incomplete`. */
  listOwnCards(customerId: string, limits?: ReadLimits): Promise<GatewayAnswer<readonly OwnCard[]>>
  /** Sets what pays for renewals: the customer's default if `paymentMethodId` is null. `not_found` if the subscription has ended. */
  setPaymentMethod(subscriptionId: string, paymentMethodId: string | null): Promise<GatewayAnswer<null>>
  /** The gateway stores who asked, and why, with the cancellation, and from then on returns it with the subscription as `requested`. */
  cancelAtPeriodEnd(
    subscriptionId: string,
    by: PrincipalId,
    reason?: CancellationReason,
  ): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * Takes back a scheduled cancellation, at the end of the period or at any other time. Repeating it changes nothing. The gateway stores
   * who asked, as it does when a cancellation is scheduled.
   */
  resumeSubscription(subscriptionId: string, by: PrincipalId): Promise<GatewayAnswer<GatewaySubscription>>
  /**
   * @param why who asked and the reason, and which payments that user did not know (`refundAfter` of `RequestedChange`); `refund_due` if it is surplus. The
   * gateway stores it, and from then on returns it with the subscription.
   */
  cancelNow(
    subscriptionId: string,
    why: ({ kind: 'asked' } & Omit<RequestedChange, 'change'>) | { kind: 'refund_due' },
  ): Promise<GatewayAnswer<GatewaySubscription>>
}

export interface PaidInvoice {
  /** Unix seconds. */
  paidAt: number
  /** Nothing of the payment is kept. Also true if nothing had to be paid. */
  refunded: boolean
  /** Whether the gateway can give it back. If the customer paid outside the gateway, only a person can return the money. */
  refundable: boolean
  /** Sent to the customer to be paid later, which may be after the subscription has ended. */
  paidLater: boolean
}

/** A page of a list: at most `limit` rows after the cursor `after`, or from the start if it is undefined. */
export interface PageRequest {
  limit: number
  after: string | undefined
}

/** Which invoices are listed. A member that is left out excludes none. */
export interface InvoiceFilter {
  status?: InvoiceRow['status'] | undefined
  /** Created at this moment or later, and before this moment: Unix milliseconds. */
  from?: number | undefined
  to?: number | undefined
}

/** An invoice as its customer sees it. Amounts are in the currency's smallest unit, times in Unix seconds. */
export interface InvoiceRow {
  id: string
  number: string | null
  status: 'open' | 'paid' | 'uncollectible' | 'void'
  /** Whose purchase it charges, as the subscription's metadata said at that time; null if they did not say. */
  purchase: PurchaseReference | null
  /** The prices of its lines. */
  priceIds: readonly string[]
  amountDue: number
  amountPaid: number
  currency: string
  createdAt: number
  dueAt: number | null
  paidAt: number | null
  /**
   * Pages of the gateway. Anyone who has the URL can open them without signing in. `hostedInvoiceUrl` is null if paying there would buy
   * nothing: a card's open invoice whose subscription has ended.
   */
  hostedInvoiceUrl: string | null
  invoicePdf: string | null
}

/** An invoice, and the customer who is billed. */
export interface InvoiceOfCustomer {
  invoice: InvoiceRow
  customerId: string
}

/** An invoice to pay. `payment`: what came of paying it so far. */
export interface UnpaidInvoice {
  id: string
  isDraft: boolean
  payment: PaymentOutcome
}

/** What subscriptions were charged. */
export interface Invoices {
  /**
   * A page of the customer's invoices, newest first, without drafts. The id of a row is a cursor too: of what follows this row, also if the
   * filter excludes the row by now.
   */
  listInvoices(
    customerId: string,
    page: PageRequest & InvoiceFilter,
    limits: ReadLimits,
  ): Promise<GatewayAnswer<Page<InvoiceRow>>>
  /** An invoice of any customer; null for drafts and unknown ids. */
  fetchInvoice(invoiceId: string, limits: ReadLimits): Promise<GatewayAnswer<InvoiceOfCustomer | null>>
  /** The subscription's newest open invoice, or else its newest draft; null if it has neither. */
  findUnpaidInvoice(subscriptionId: string): Promise<GatewayAnswer<UnpaidInvoice | null>>
  /** Opens a draft without charging it. */
  finalizeInvoice(invoiceId: string): Promise<GatewayAnswer<null>>
  /** Takes care that an open invoice is never paid. Repeating it changes nothing. `refused` `already_done` if it was paid. */
  voidInvoice(invoiceId: string): Promise<GatewayAnswer<null>>
  payInvoice(invoiceId: string, paymentMethodId: string | undefined, key: string): Promise<GatewayAnswer<null>>
  /** Every paid invoice of the subscription, even if there was nothing to pay. */
  listPaidInvoices(subscriptionId: string): Promise<GatewayAnswer<readonly PaidInvoice[]>>
  /**
   * Voids the open invoices of the subscription, then refunds what was paid. Repeating it refunds nothing twice. If a payment was made
   * outside the gateway, it does everything else and then is `refused`.
   * @param paidAfter only what was paid later is refunded (Unix seconds); everything by default
   * @returns how many of these payments went back, now or before
   */
  refundSubscription(subscriptionId: string, paidAfter?: number): Promise<GatewayAnswer<number>>
}

/** An invoice that was sent to its customer and is not paid. */
export interface OwedInvoice {
  id: string
  /** What is left to pay, in the currency's smallest unit. */
  amount: number
  /** ISO 4217 in lower case. */
  currency: string
  /** Unix seconds; null if it is due at no certain time. */
  dueAt: number | null
}

/** Invoices that were sent to their customers, who owe them until they are paid, voided or written off. */
export interface SentInvoices {
  /** All that the customer owes, newest first, whatever became of its subscriptions. */
  listOwed(customerId: string, limits?: ReadLimits): Promise<GatewayAnswer<readonly OwedInvoice[]>>
  /** Marks an invoice uncollectible: it is no longer owed, though it can still be paid. `refused` if it is not open. */
  writeOff(invoiceId: string): Promise<GatewayAnswer<null>>
}

/** Recognizes events that the gateway itself sent. */
export interface Events {
  /**
   * Returns the event if an accepted secret signed the payload at most 300 s ago or ahead; otherwise null.
   * @param payload the raw bytes, exactly as received
   * @throws BillingError `thin_event` for a signed event without its object
   */
  verify(payload: Uint8Array, signature: string | undefined): GatewayEvent | null
}

/** A gateway, with everything that billing asks of it. */
export interface PaymentGateway {
  /** The customer details that the gateway needs before it sells anything. */
  readonly needs: readonly ('name' | 'email' | 'address')[]
  readonly catalog: Catalog
  readonly customers: Customers
  readonly purchases: Purchases
  readonly invoices: Invoices
  /** Undefined if the gateway takes no cards. */
  readonly cards: Cards | undefined
  /** Undefined if the gateway sends no invoices. */
  readonly sentInvoices: SentInvoices | undefined
}

/** Every gateway by name. `gatewayOf` picks the gateway that serves an organization. */
export type Gateways = Readonly<Record<GatewayName, PaymentGateway>>

/** Money that went back because a person or a bank decided so. */
export interface Reversal {
  kind: 'refund' | 'dispute'
  /** Whether all of the payment went back for good: a full refund, or a lost dispute. */
  final: boolean
  paymentIntentId: string
}

/** An overdue invoice, with whose it is, and as its customer sees it. */
export interface OverdueInvoice extends OwedInvoice {
  dueAt: number
  customerId: string
  invoice: InvoiceRow
}

/** A customer, and whether the gateway knows what its receipts need. */
export interface ListedCustomer {
  id: string
  /** As its metadata say, which anybody may edit in the Dashboard; null if they name none. */
  organizationId: OrganizationId | null
  hasName: boolean
  hasEmail: boolean
}

/** How often a coupon was redeemed, and how often it may be. */
export interface RedemptionCount {
  redeemed: number
  limit: number
}

/** The gateway's lists, a page at a time. Never throws. */
export interface GatewayListing {
  /** The gateway whose lists these are. */
  readonly gateway: GatewayName
  /** All subscriptions in every status, newest first, without the state of their open payments. */
  listSubscriptions(cursor?: string): Promise<GatewayAnswer<Page<ListedSubscription>>>
  /** The same list for a single customer, with all pages. */
  listCustomerSubscriptions(customerId: string): Promise<GatewayAnswer<ListedSubscription[]>>
  /** All customers that are not deleted, newest first. */
  listCustomers(cursor?: string): Promise<GatewayAnswer<Page<ListedCustomer>>>
  /** Events about cards and customers since then (Unix seconds) that some endpoint did not acknowledge. The gateway keeps 30 days. */
  listUndeliveredEvents(since: number, cursor?: string): Promise<GatewayAnswer<Page<GatewayEvent>>>
  /** Refunds or disputes since then (Unix seconds). */
  listReversals(kind: Reversal['kind'], since: number, cursor?: string): Promise<GatewayAnswer<Page<Reversal>>>
  /** Invoices that were sent, are open and were due before then (Unix seconds), newest first; those of deleted customers too. */
  listOverdue(dueBefore: number, cursor?: string): Promise<GatewayAnswer<Page<OverdueInvoice>>>
  /** The subscription's invoice that this PaymentIntent paid; null if it paid for something else. */
  findPaidInvoice(paymentIntentId: string): Promise<GatewayAnswer<{ subscriptionId: string; invoiceId: string } | null>>
  /** The redemptions of a coupon or, if only the code that was typed is limited, of that. Null if neither is limited, or it was deleted. */
  countRedemptions(coupon: GatewayCoupon): Promise<GatewayAnswer<RedemptionCount | null>>
}

/** A page of a list. `next` is the opaque cursor of the page after it; absent on the last page. */
export interface Page<Row> {
  rows: readonly Row[]
  next?: string
}
