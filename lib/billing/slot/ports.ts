import type { Clock } from '../../core/clock.ts'
import type { Principal } from '../../core/identity.ts'
import type { Ids, OrganizationId, PrincipalId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { AuditEntry, Role } from '../../organizations/ports.ts'
import type { Users } from '../../users/ports.ts'
import type { Product } from '../catalog.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import type { CustomerRequest, Gateways } from '../gateway/gatewayPorts.ts'
import type { AppliedCoupon, Slot } from './slot.ts'

/** The gateway's customer of an organization, as stored: encrypted, with a digest to recognize it by. */
export interface CustomerBinding {
  cipher: string
  /** SHA-256 of the customer id, hex: an event is matched without decrypting anything. */
  digest: string
}

/** What billing knows of an organization. `customerRev` counts the customers it has had at the gateway. */
export interface BillingAccount {
  organizationId: OrganizationId
  /** The organization's name. */
  name: string
  createdAt: string
  customerRev: number
  /** The gateway that serves the organization. */
  gateway: GatewayName
  /** How many days its invoices are due after, where it is sent invoices. */
  daysUntilDue?: number
  customer?: CustomerBinding
  /** What a customer is being created with, until it is bound. */
  customerRequest?: CustomerRequest
  /** Nothing is sold to it any more. */
  isBeingDeleted?: true
}

/** An organization and which of its customers is meant. */
export type CustomerName = Pick<BillingAccount, 'organizationId' | 'customerRev'>

/** How an organization pays: by which gateway, and how many days after the date of an invoice it is due. */
export type PaymentTerms = Pick<BillingAccount, 'gateway' | 'daysUntilDue'>

/** The account as it was read, as far as a purchase depends on it. */
export type PayingAccount = CustomerName & PaymentTerms

/** An organization with its slots, in one consistent read. */
export interface OrganizationSlots {
  account: BillingAccount | undefined
  /** One for each product that was asked for, in that order; of all in the catalog's. */
  slots: readonly Slot[]
}

/** The same as the caller sees it, whose grant is live. `role` is undefined for a user who is no member. */
interface OrganizationBilling extends OrganizationSlots {
  role: Role | undefined
}

/** The change of the coupon's redemption in the transaction that moves its slot. The holder is the slot and its purchase number. */
export type RedemptionChange = 'reserve' | 'apply' | 'release'

/** One slot's step: the next state, valid only while the stored `rev` is still `next.rev - 1`. */
export interface SlotChange {
  next: Slot
  redemption?: { coupon: AppliedCoupon; change: RedemptionChange }
  /** What the audit log says of it. */
  entries?: readonly AuditEntry[]
}

/** What the gateway alone keeps of an organization, and the value that it was changed to: an id, or a digest of something longer. */
export interface AccountChange {
  of: 'default card' | 'removed card' | 'details'
  value: string
}

/**
 * A commit that lost: the slot as it is now where it was written since it was read, whether the coupon is held by another purchase, and whether
 * since the account was read its customer was forgotten, or its gateway or terms were changed.
 */
export interface Conflict {
  slot: Slot | undefined
  couponTaken: boolean
  accountChanged: boolean
}

/**
 * Slots, redemptions and what the audit log says of them. Every method is one call to the store and throws `CommonError` `service_unavailable`
 * where the store is unavailable; then it is not known whether anything was written. What is read for a caller is read with the grant, and throws
 * `CommonError` `invalid_token` where that has ended.
 */
export interface BillingRecords {
  /** @param products whose slots the answer has; of every product where left out */
  read(organizationId: OrganizationId, caller: Principal, products?: readonly Product[]): Promise<OrganizationBilling>
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
  /**
   * The account and the slots of these products as of one instant among all writes: a change of the account that was written only while a
   * slot was free, and is not in the answer, is later than what the answer says of that slot. Reads one after another do not promise that.
   */
  readTogether(organizationId: OrganizationId, products: readonly Product[]): Promise<OrganizationSlots>
  /** Whether some purchase holds this user's redemption of the coupon, for good or until its outcome is known. */
  isRedeemed(couponId: string, userId: PrincipalId): Promise<boolean>
  /**
   * All of the change or nothing of it. Conditional on the slot's `rev` and on the coupon's holder; a change that turns out to be
   * stored already (an acknowledgement was lost) counts as committed. Null means committed.
   * @param account conditional also on its customer not having been forgotten, on its gateway and terms, and on the organization not being
   * deleted: no purchase is begun with a customer that is gone and completed with another one, sold by a gateway that the organization was
   * moved from, or sold to one whose deletion found nothing sold. A claim without it is read again before it is sent
   */
  commit(change: SlotChange, account?: PayingAccount): Promise<Conflict | null>
  /**
   * Stores what the organization's customer is created with. The first writer wins, so that every repetition of the key sends the
   * same. Returns what is stored now, or the customer where one is bound by now.
   */
  freezeCustomer(
    account: CustomerName,
    request: CustomerRequest,
  ): Promise<{ request: CustomerRequest } | { customer: CustomerBinding }>
  /** The first writer wins, and what was frozen for the customer is deleted. Returns the binding that is stored now. */
  bindCustomer(account: CustomerName, customer: CustomerBinding): Promise<CustomerBinding>
  /** Forgets a customer that the gateway deleted, unless a slot is held: then false. */
  unbindCustomer(organizationId: OrganizationId, digest: string): Promise<boolean>
  /**
   * Changes how the organization pays, with its entry in the audit log: while it pays as was read, and where the gateway changes while
   * every slot is free. Nothing is written where the account is not as it was read, or another write was in the way (`conflict`), or
   * where a slot is not free (`held`). An entry that is stored already says that its change is: an acknowledgement was lost.
   */
  switchGateway(
    account: Pick<PayingAccount, 'organizationId' | keyof PaymentTerms>,
    to: PaymentTerms,
    entry: AuditEntry,
  ): Promise<'written' | 'held' | 'conflict'>
  /** Adds an entry of what changed nothing that is stored here; once, however often it is added. */
  addEntry(entry: AuditEntry): Promise<void>
  /**
   * Adds the entry of a change that only the gateway keeps, and remembers the value it was changed to, in one transaction; neither where
   * that value is the one remembered last: a repeated request adds none. For an organization that is not known, neither.
   */
  recordAccountChange(organizationId: OrganizationId, change: AccountChange, entry: AuditEntry): Promise<void>
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

/** Encrypts the gateway's customer id under the organization's encryption context (KMS). Throws where KMS is unavailable. */
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

/** The same where a customer may have to be created: it gets the address of the user who asks for it. */
export interface BuyingDeps extends BillingDeps {
  readonly users: Pick<Users, 'find'>
}
