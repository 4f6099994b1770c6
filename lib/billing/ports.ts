import type { Clock } from '../core/clock.ts'
import type { Ids, OrganizationId, UserId } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Role } from '../organizations/ports.ts'
import type { Product } from './catalog.ts'
import type { Entitlement } from './entitlement.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { GatewayEvent } from './gatewayEvent.ts'
import type { Pass } from './pass.ts'
import type { AppliedCoupon, Slot, SlotName } from './slot.ts'
import type { GatewaySubscription, PurchaseReference } from './subscription.ts'
import type { ListedSubscription } from './terms.ts'

/** The gateway's customer of an organization, as stored: encrypted, with a digest to recognize it by. */
interface CustomerBinding {
  cipher: string
  /** SHA-256 of the customer id, hex: an event is matched without decrypting anything. */
  digest: string
}

/** What billing knows of an organization. `customerRev` counts the customers it has had at the gateway. */
export interface BillingAccount {
  organizationId: OrganizationId
  createdAt: string
  customerRev: number
  customer?: CustomerBinding
}

/** An organization with its slots, in one consistent read. */
export interface OrganizationSlots {
  account: BillingAccount | undefined
  /** One for each product, in the catalog's order. */
  slots: readonly Slot[]
}

/** The same as one of its users sees it. `role` is undefined for a user who is no member. */
interface OrganizationBilling extends OrganizationSlots {
  role: Role | undefined
}

/** The change of the coupon's redemption in the transaction that moves its slot. The holder is the slot and its purchase number. */
export type RedemptionChange = 'reserve' | 'apply' | 'release'

/** One slot's step: the next state, valid only while the stored `rev` is still `next.rev - 1`. */
export interface SlotChange {
  next: Slot
  redemption?: { coupon: AppliedCoupon; change: RedemptionChange }
  entitlement?: Entitlement
}

/**
 * A commit that lost: each slot as it is now, whether the coupon is held by another purchase, and whether the customer
 * was forgotten since the account was read.
 */
export interface Conflict {
  slots: Slot[]
  couponTaken: boolean
  customerForgotten: boolean
}

/**
 * Slots, redemptions and entitlements. Every method is one call to the store and throws `CommonError` `service_unavailable`
 * where the store is unavailable; then it is not known whether anything was written.
 */
export interface BillingRecords {
  read(organizationId: OrganizationId, userId: UserId): Promise<OrganizationBilling>
  readSlots(organizationId: OrganizationId): Promise<OrganizationSlots>
  /**
   * The organizations that have the gateway's customer with this digest: one at most, as the record was a moment ago. The index
   * lags behind: read the account before acting on it.
   */
  findOrganizations(customerDigest: string): Promise<OrganizationId[]>
  /** One slot with its organization's account. */
  readSlot(
    organizationId: OrganizationId,
    product: Product,
  ): Promise<{ account: BillingAccount | undefined; slot: Slot }>
  readAccount(organizationId: OrganizationId): Promise<BillingAccount | undefined>
  readEntitlements(
    organizationId: OrganizationId,
    userId: UserId,
  ): Promise<{ role: Role | undefined; account: BillingAccount | undefined; entitlements: Entitlement[] }>
  /**
   * All of `changes` or none. Conditional on every slot's `rev` and on the coupon's holder; a change that turns out to be
   * stored already (an acknowledgement was lost) counts as committed. Null means committed.
   * @param account conditional also on its customer not having been forgotten: no purchase is begun with a customer that is
   * gone and completed with another one
   */
  commit(
    changes: readonly SlotChange[],
    account?: Pick<BillingAccount, 'organizationId' | 'customerRev'>,
  ): Promise<Conflict | null>
  /** The first writer wins. Returns the binding that is stored now. */
  bindCustomer(account: BillingAccount, customer: CustomerBinding): Promise<CustomerBinding>
  /** Forgets a customer that the gateway deleted, unless a slot is held: then false. */
  unbindCustomer(organizationId: OrganizationId, digest: string): Promise<boolean>
}

/** A pending slot by its name. */
export interface PendingSlot {
  organizationId: OrganizationId
  product: Product
  /** Unix milliseconds, as is `firstSent`. */
  nextSweepAt: number
  firstSent: number
}

/** Slots of all organizations. Throws `CommonError` `service_unavailable`. */
export interface SlotListing {
  /** Purchases that are not settled, by `nextSweepAt`. The index lags behind: read a slot before acting on it. */
  listPending(): Promise<PendingSlot[]>
}

/** One page of a list, and where the next one begins: opaque; absent on the last page. */
export interface Page<Row> {
  rows: readonly Row[]
  next?: string
}

/** A slot that is not free, and whether the pass found its subscription in the gateway's list. */
export interface ListedSlot {
  slot: Slot
  seen: boolean
}

/** Where the pass through everything is, and the slots that it compares. Throws `CommonError` `service_unavailable`. */
export interface PassRecords {
  readPass(): Promise<Pass | undefined>
  /** Written while the stored `rev` is `pass.rev - 1`; false where another run was faster. */
  writePass(pass: Pass): Promise<boolean>
  /** The slots with these names, an empty one for a slot that was never written; one read for every 100. */
  readSlots(names: readonly SlotName[]): Promise<Slot[]>
  /** Marks a slot as seen by this pass while it holds this subscription; outside `rev`, so that no other writer is disturbed. */
  markSeen(slot: SlotName, subscriptionId: string, passId: string): Promise<void>
  /** A page of a scan of all slots that are not free. A slot that was written since it was marked is not seen. */
  listHeld(passId: string, cursor?: string): Promise<Page<ListedSlot>>
}

/** Encrypts the gateway's customer id under the organization's encryption context (KMS). Throws where KMS is unavailable. */
export interface CustomerCipher {
  encrypt(organizationId: OrganizationId, customerId: string): Promise<string>
  decrypt(organizationId: OrganizationId, cipher: string): Promise<string>
}

/** A price of the gateway's catalog. */
export interface Price {
  id: string
  gatewayProductId: string
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

/** An invoice that was paid. `refunded`: nothing of the payment is kept; so too where nothing had to be paid. */
export interface PaidInvoice {
  /** Unix seconds. */
  paidAt: number
  refunded: boolean
}

/** Which purchase of which slot. */
export type PurchaseKey = Pick<PurchaseReference, 'organization_id' | 'plan_code' | 'n'>

/** Until when a call may be sent and awaited, Unix milliseconds; `resend` marks a key that an earlier invocation may have sent. */
export interface CallLimits {
  sendUntil: number
  answerBy: number
  resend: boolean
}

/** The payment gateway (Stripe). Never throws: what went wrong is in the answer. */
export interface PaymentGateway {
  /** The active prices by plan code, at most five minutes old; `fresh` asks for them anew. */
  prices(options?: { fresh: boolean }): Promise<GatewayAnswer<ReadonlyMap<string, Price>>>
  /** An active promotion code in any case, or else a coupon by its id; `refused` `coupon_invalid` when it cannot be redeemed. */
  findCoupon(code: string): Promise<GatewayAnswer<Coupon>>
  createCustomer(organizationId: OrganizationId, key: string): Promise<GatewayAnswer<string>>
  /** Whether a customer was deleted; `refused` where this key does not see it: it may be one of another account or mode. */
  fetchCustomer(customerId: string): Promise<GatewayAnswer<{ deleted: boolean }>>
  /** The parameters of a subscription, without the customer, to be stored and sent as they are. */
  freezeSubscription(request: {
    priceId: string
    paymentMethodId: string | undefined
    coupon: Coupon | undefined
    purchase: PurchaseReference
  }): string
  createSubscription(
    frozenRequest: string,
    customerId: string,
    key: string,
    limits: CallLimits,
  ): Promise<GatewayAnswer<GatewaySubscription>>
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
  payInvoice(invoiceId: string, paymentMethodId: string | undefined, key: string): Promise<GatewayAnswer<null>>
  cancelAtPeriodEnd(subscriptionId: string): Promise<GatewayAnswer<GatewaySubscription>>
  /** @param surplus `refundDue` is written with the cancellation, and is read with the subscription from then on */
  cancelNow(subscriptionId: string, surplus?: { refundDue: true }): Promise<GatewayAnswer<GatewaySubscription>>
  /** Every invoice of the subscription that was paid, also with nothing to pay. */
  listPaidInvoices(subscriptionId: string): Promise<GatewayAnswer<readonly PaidInvoice[]>>
  /** Refunds what the subscription's invoices were paid; repeating it refunds nothing twice. */
  refundSubscription(subscriptionId: string): Promise<GatewayAnswer<null>>
  /** The client secret of a SetupIntent restricted to cards, for off-session use. */
  createSetupIntent(customerId: string, organizationId: OrganizationId): Promise<GatewayAnswer<string>>
  /** Makes a card the customer's default where it has none. */
  setFirstDefaultCard(customerId: string, paymentMethodId: string): Promise<GatewayAnswer<null>>
}

/** Money that went back, by a person's decision or a bank's. */
export interface Reversal {
  kind: 'refund' | 'dispute'
  /** Whether all of the payment went back for good: refunded in full, or a dispute that was lost. */
  final: boolean
  paymentIntentId: string
}

/** The gateway's lists, a page at a time. Never throws, like `PaymentGateway`. */
export interface GatewayListing {
  /** All subscriptions in every status, newest first, without the state of their open payments. */
  listSubscriptions(cursor?: string): Promise<GatewayAnswer<Page<ListedSubscription>>>
  /** The same, of one customer, every page. */
  listCustomerSubscriptions(customerId: string): Promise<GatewayAnswer<ListedSubscription[]>>
  /** Events of cards and customers since then (Unix seconds; 30 days are kept) that some endpoint did not acknowledge. */
  listUndeliveredEvents(since: number, cursor?: string): Promise<GatewayAnswer<Page<GatewayEvent>>>
  /** Refunds or disputes since then (Unix seconds). */
  listReversals(kind: Reversal['kind'], since: number, cursor?: string): Promise<GatewayAnswer<Page<Reversal>>>
  /** The subscription's invoice that this PaymentIntent paid; null for a payment of something else. */
  findPaidInvoice(paymentIntentId: string): Promise<GatewayAnswer<{ subscriptionId: string; invoiceId: string } | null>>
}

/** Every side effect of billing. */
export interface BillingDeps {
  readonly records: BillingRecords
  readonly gateway: PaymentGateway
  readonly cipher: CustomerCipher
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
}

/** Recognizes the gateway's own events. */
export interface WebhookVerifier {
  /**
   * The event in a payload that an accepted secret signed at most 300 s ago or ahead; null for any other payload.
   * @param payload the raw bytes, exactly as received
   */
  verify(payload: Uint8Array, signature: string | undefined): GatewayEvent | null
}
