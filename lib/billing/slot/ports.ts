import type { Clock } from '../../core/clock.ts'
import type { AnyCaller } from '../../core/identity.ts'
import type { Ids, OrganizationId, PrincipalId, UserId } from '../../core/ids.ts'
import type { EventDraft } from '../../events/event.ts'
import type { Logger } from '../../log/logger.ts'
import type { AuditEntry, CallerFacts, Role, SignInRules, SignOnRule, Throttle } from '../../organizations/ports.ts'
import type { Users } from '../../users/ports.ts'
import type { Product } from '../catalog.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import type { CustomerRequest, Gateways } from '../gateway/gatewayPorts.ts'
import type { MoneyMail } from './moneyMail.ts'
import type { Redeemer } from './redeemer.ts'
import type { AppliedCoupon, Slot } from './slot.ts'

/** An organization's customer at the gateway, as stored: its id encrypted, with a digest to recognize it by. */
export interface CustomerBinding {
  cipher: string
  /** SHA-256 of the customer id in hex. It matches an event to its customer without decrypting anything. */
  digest: string
}

/** What billing knows of an organization. `customerRev` counts the customers it has had at the gateway. */
export interface BillingAccount {
  organizationId: OrganizationId
  name: string
  createdAt: string
  customerRev: number
  /** The gateway that serves the organization. */
  gateway: GatewayName
  /** How many days after its date an invoice is due, if the gateway sends invoices. */
  daysUntilDue?: number
  customer?: CustomerBinding
  /** Customers that the gateway deleted, oldest first. It keeps their invoices. */
  formerCustomers?: readonly CustomerBinding[]
  /** What a customer is being created with, until it is bound. */
  customerRequest?: CustomerRequest
  /** Nothing is sold to it any more. */
  isBeingDeleted?: true
  /** Set while a card is removed. */
  cardFence?: CardFence
  /** May have ended. */
  throttle?: Throttle
  signInRules?: SignInRules
  signOn?: SignOnRule
  /** The domains that the organization has verified. */
  verifiedDomains?: readonly string[]
}

/** A removal of a card: until it ends, or until this time if it crashed (Unix milliseconds), nothing is sold and no other card is removed. */
export interface CardFence {
  /** Names the invocation. */
  owner: string
  until: number
  /** Which card; absent in fences of earlier versions. */
  card?: string
}

/** An organization and which of its customers is meant. */
export type CustomerName = Pick<BillingAccount, 'organizationId' | 'customerRev'>

/** How an organization pays: by which gateway, and how many days after its date an invoice is due. */
export type PaymentTerms = Pick<BillingAccount, 'gateway' | 'daysUntilDue'>

/** The parts of an account, as read, that a purchase depends on. */
export type PayingAccount = CustomerName & PaymentTerms & Pick<BillingAccount, 'cardFence'>

/** An organization with its slots, in a single consistent read. */
export interface OrganizationSlots {
  account: BillingAccount | undefined
  /** One per requested product, in request order; all products in catalog order if none are given. */
  slots: readonly Slot[]
}

/** The same for a caller whose grant is live. `role` is undefined if the user is no member. */
interface OrganizationBilling extends OrganizationSlots, CallerFacts {
  role: Role | undefined
  /** Who created the calling API client, if it was stored. */
  createdBy?: UserId
}

/**
 * How the transaction that moves a slot changes the coupon's redemption. The slot and its purchase number are the holder. `adopt` applies
 * the coupon of a subscription that was found at the gateway; if another purchase has redeemed it since, the slot takes the subscription
 * without it.
 */
export type RedemptionChange = 'reserve' | 'apply' | 'adopt' | 'release'

/** @property earlierId for `reserve`: the redemption that an earlier version stored under this id excludes another */
export interface CouponRedemption {
  coupon: AppliedCoupon
  change: RedemptionChange
  earlierId?: PrincipalId
}

/** A slot's next state, valid only if the stored `rev` is still `next.rev - 1` when it is written. */
export interface SlotChange {
  next: Slot
  redemption?: CouponRedemption
  /** What the audit log says of it. */
  entries?: readonly AuditEntry[]
  /** Mails about it: stored with it, and sent by `billing-mails`. */
  mails?: readonly MoneyMail[]
  /** Events about it for other systems. */
  events?: readonly EventDraft[]
}

/** A change of data that only the gateway keeps, with the new value: an id, a month, or a digest if the value is longer. */
export interface AccountChange {
  of: 'default_card' | 'removed_card' | 'details' | 'expiring_card'
  value: string
}

/**
 * A commit that lost.
 * - `slot`: the slot as it is now, if another writer wrote it after it was read.
 * - `couponTaken`: another purchase holds the coupon.
 * - `accountChanged`: after the account was read, its customer was forgotten, or its gateway or terms were changed.
 */
export interface Conflict {
  slot: Slot | undefined
  couponTaken: boolean
  accountChanged: boolean
}

/**
 * Slots, redemptions and what the audit log says of them. Every method is a single call to the store. If the store is unavailable, it throws
 * `CommonError` `service_unavailable`: then something may or may not have been written. A read for a caller also reads the caller's grant, and
 * throws `CommonError` `invalid_token` if the grant has ended.
 */
export interface BillingRecords {
  /** @param products whose slots the answer has; every product's if left out */
  read(organizationId: OrganizationId, caller: AnyCaller, products?: readonly Product[]): Promise<OrganizationBilling>
  readSlots(organizationId: OrganizationId): Promise<OrganizationSlots>
  /**
   * The organizations whose gateway customer has this digest: at most one. The index lags behind, so read the account before you act on
   * the answer.
   */
  findOrganizations(customerDigest: string): Promise<OrganizationId[]>
  /** A slot with its organization's account. */
  readSlot(
    organizationId: OrganizationId,
    product: Product,
  ): Promise<{ account: BillingAccount | undefined; slot: Slot }>
  readAccount(organizationId: OrganizationId): Promise<BillingAccount | undefined>
  /**
   * The account and the slots of these products as of a single instant among all writes. If a change of the account requires a free slot and
   * is not in the answer, it came later than what the answer says of that slot. Separate reads do not promise that.
   */
  readTogether(organizationId: OrganizationId, products: readonly Product[]): Promise<OrganizationSlots>
  /** Whether a purchase holds this user's redemption of the coupon, for good or until its outcome is known. */
  isRedeemed(couponId: string, redeemer: Redeemer): Promise<boolean>
  /**
   * Writes all of the change or nothing. Conditional on the slot's `rev` and on the coupon's holder. If the change is already stored (an
   * acknowledgement was lost), it counts as committed. Null means committed.
   * @param account if given, the commit also requires that its customer was not forgotten, that its gateway and terms are unchanged, that no
   * other removal of a card has begun or ended, and that the organization is not being deleted. So no purchase begins with a customer that is gone and completes with another, goes to a gateway
   * that the organization has left, or is sold after the deletion found nothing sold. If a claim is committed without it, the account and the
   * claim are read again before the purchase is sent
   */
  commit(change: SlotChange, account?: PayingAccount): Promise<Conflict | null>
  /**
   * Stores what the organization's customer is created with. The first writer wins, so that every repetition of the key sends the
   * same. Returns what is stored now, or the customer if it is bound by now.
   */
  freezeCustomer(
    account: CustomerName,
    request: CustomerRequest,
  ): Promise<{ kind: 'frozen'; request: CustomerRequest } | { kind: 'bound'; customer: CustomerBinding }>
  /** The first writer wins. Deletes what was frozen for the customer. Returns the binding that is stored now. */
  bindCustomer(account: CustomerName, customer: CustomerBinding): Promise<CustomerBinding>
  /** Makes a customer that the gateway deleted a former customer. If a slot is held, it changes nothing and returns false. */
  unbindCustomer(organizationId: OrganizationId, customer: CustomerBinding): Promise<boolean>
  /**
   * Changes how the organization pays, with its entry in the audit log. Requires that the terms are as they were read and, if the gateway
   * changes, that every slot is free. Writes nothing if the account is not as it was read or another write was in the way (`conflict`), or
   * if a slot is not free (`held`). If the entry is stored already, so is its change: an acknowledgement was lost.
   */
  switchGateway(
    account: Pick<PayingAccount, 'organizationId' | keyof PaymentTerms>,
    to: PaymentTerms,
    entry: AuditEntry,
  ): Promise<'written' | 'held' | 'conflict'>
  /**
   * Fences a removal of a card off against purchases: written only if the account and every slot are as they were read. A claim that is
   * written later is read together with the fence before anything is sent for it.
   */
  fenceCards(account: PayingAccount, slots: readonly Slot[], fence: CardFence): Promise<'written' | 'conflict'>
  /** Ends a fence, if it is still this invocation's. */
  unfenceCards(organizationId: OrganizationId, fence: CardFence): Promise<void>
  /** Announces to other systems a fact that only the gateway keeps, unless it was announced before. */
  announce(event: EventDraft): Promise<void>
  /** Adds an entry about something that changed nothing stored here. If it is added again, it is stored only once. */
  addEntry(entry: AuditEntry): Promise<void>
  /**
   * Adds the entry of a change that only the gateway keeps, and remembers the new value, in a single transaction. Does neither if that value
   * was remembered last, so a repeated request adds no entry. Does neither if the organization is unknown.
   */
  recordAccountChange(organizationId: OrganizationId, change: AccountChange, entry: AuditEntry): Promise<void>
}

/** The gateway's customers of all organizations, for operators. Throws `CommonError` `service_unavailable`. */
export interface CustomerBindings {
  /** Every organization that has a customer, or had one. */
  list(): Promise<BillingAccount[]>
  /** Stores another ciphertext of the same customer, current or former. `conflict`: the customer is not stored as it was read. */
  replaceCipher(account: BillingAccount, customer: CustomerBinding, cipher: string): Promise<'written' | 'conflict'>
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
  /** Purchases that are not settled, by `nextSweepAt`. The index lags behind: read a slot before you act on it. */
  listPending(): Promise<PendingSlot[]>
}

/** Encrypts the gateway's customer id under the organization's encryption context (KMS). Throws if KMS is unavailable. */
export interface CustomerCipher {
  encrypt(organizationId: OrganizationId, customerId: string): Promise<string>
  decrypt(organizationId: OrganizationId, cipher: string): Promise<string>
}

/** Every side effect of billing. */
export interface BillingDeps {
  readonly records: BillingRecords
  readonly gateways: Gateways
  readonly cipher: CustomerCipher
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
}

/** Also finds users: if a customer has to be created, it gets the email address of the user who asks for it. */
export interface BuyingDeps extends BillingDeps {
  readonly users: Pick<Users, 'find'>
}
