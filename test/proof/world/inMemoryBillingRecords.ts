import { isDeepStrictEqual } from 'node:util'
import { products } from '../../../lib/billing/catalog.ts'
import type { MoneyMailName, MoneyMails } from '../../../lib/billing/mails/ports.ts'
import type { Pass } from '../../../lib/billing/reconcile/pass.ts'
import type { PassRecords } from '../../../lib/billing/reconcile/passContext.ts'
import { entitlementOf } from '../../../lib/billing/slot/entitlement.ts'
import type { MoneyMail } from '../../../lib/billing/slot/moneyMail.ts'
import type {
  BillingAccount,
  BillingRecords,
  PayingAccount,
  PaymentTerms,
  SlotChange,
  SlotListing,
} from '../../../lib/billing/slot/ports.ts'
import { type AppliedCoupon, emptySlot, isFree, productCode, type Slot } from '../../../lib/billing/slot/slot.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import { type AnyCaller, isApiClient, isServiceClient } from '../../../lib/core/identity.ts'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { EventDraft } from '../../../lib/events/event.ts'
import type { AuditEntry, Role } from '../../../lib/organizations/ports.ts'

/** A coupon's redemption: who holds it, and whether for good. */
interface Redemption {
  couponId: string
  /** As `AppliedCoupon` has it: a digest, or of an earlier version the id. */
  redeemer: string
  productCode: string
  n: number
  state: 'RESERVED' | 'APPLIED'
}

/** A stored mail, as its sender finds it. */
interface HeldMail {
  mail: MoneyMail
  dueAt: number
  attempts: number
  claimed: boolean
}

/** Everything the store holds, as plain data: taken with `save`, put back with `load`. */
export interface StoredBilling {
  accounts: BillingAccount[]
  roles: [string, Role][]
  slots: Slot[]
  redemptions: Redemption[]
  entries: AuditEntry[]
  /** The last change of what only the gateway keeps, by organization and what it is. */
  changes: [string, string][]
  /** Mails that are to be sent. */
  mails: HeldMail[]
  /** The outbox: events that no relay has numbered. */
  events: EventDraft[]
  /** Each write that changed an entitlement: its slot and revision. */
  entitled: string[]
}

/** `BillingRecords` and `SlotListing` in memory, with what only a test may do. */
export interface InMemoryBillingRecords extends BillingRecords, SlotListing {
  readonly passes: PassRecords
  readonly mails: MoneyMails
  createOrganization(organizationId: OrganizationId, createdAt: string): Promise<void>
  setMembership(organizationId: OrganizationId, userId: UserId, role: Role): Promise<void>
  /** Ends every grant of a user, as switching the account off does. */
  endGrants(userId: UserId): Promise<void>
  /** Writes a slot past every condition, as another writer would have. */
  overwrite(slot: Slot): void
  save(): StoredBilling
  load(stored: StoredBilling): void
}

/**
 * The fake of the DynamoDB adapter: one call is one instant, all of a commit or none. Held to the adapter by the contract
 * suite in `billingRecordsContract.ts`, DynamoDB's own refusal of an item named twice included.
 */
export function createInMemoryBillingRecords(): InMemoryBillingRecords {
  const accounts = new Map<string, BillingAccount>()
  const roles = new Map<string, Role>()
  const slots = new Map<string, Slot>()
  const redemptions = new Map<string, Redemption>()
  const entries = new Map<string, AuditEntry>()
  const changes = new Map<string, string>()
  const mails = new Map<string, HeldMail>()
  const events: EventDraft[] = []
  const entitled: string[] = []
  const ended = new Set<UserId>()
  let pass: Pass | undefined
  // Each write replaces the whole slot, and its mark with it.
  const marks = new WeakMap<Slot, string>()

  const slotOf = (organizationId: OrganizationId, product: Slot['product']): Slot => {
    const empty = emptySlot(organizationId, product)
    return copy(slots.get(productCode(empty)) ?? empty)
  }
  const roleOf = (organizationId: OrganizationId, caller: AnyCaller) => {
    if (isServiceClient(caller)) return 'billing_admin'
    if (isApiClient(caller)) return caller.organizationId === organizationId ? 'billing_admin' : undefined
    const { userId } = caller
    if (ended.has(userId)) throw new CommonError('invalid_token')
    return roles.get(memberKey(organizationId, userId))
  }
  const accountOf = (organizationId: OrganizationId) => copy(accounts.get(organizationId))

  return {
    async read(organizationId, caller, wanted = products) {
      return {
        role: roleOf(organizationId, caller),
        account: accountOf(organizationId),
        slots: wanted.map((product) => slotOf(organizationId, product)),
      }
    },
    readSlots: async (organizationId) => ({
      account: accountOf(organizationId),
      slots: products.map((product) => slotOf(organizationId, product)),
    }),
    findOrganizations: async (customerDigest) =>
      [...accounts.values()].flatMap(({ organizationId, customer }) =>
        customer?.digest === customerDigest ? [organizationId] : [],
      ),
    readSlot: async (organizationId, product) => ({
      account: accountOf(organizationId),
      slot: slotOf(organizationId, product),
    }),
    readAccount: async (organizationId) => accountOf(organizationId),
    readTogether: async (organizationId, wanted) => ({
      account: accountOf(organizationId),
      slots: wanted.map((product) => slotOf(organizationId, product)),
    }),

    isRedeemed: async (couponId, { digest, earlierId }) =>
      [digest, earlierId].some((redeemer) => redemptions.has(redemptionKey(couponId, redeemer))),

    async commit(change, expected) {
      refuseMalformed(change)
      const stored = slots.get(productCode(change.next))
      const lost = (stored?.rev ?? 0) !== change.next.rev - 1
      const couponTaken = couponFails(change, redemptions)
      const accountChanged =
        expected !== undefined &&
        !isDeepStrictEqual(payingOf(accounts.get(expected.organizationId)), payingOf(expected))
      if (!lost && !couponTaken && !accountChanged) {
        write(change)
        return null
      }
      // Only an item whose condition failed is answered, as in DynamoDB's cancellation reasons.
      const slot = lost ? copy(stored) : undefined
      if (isDeepStrictEqual(slot, change.next)) return null
      return { slot, couponTaken, accountChanged }
    },

    async bindCustomer({ organizationId, customerRev }, customer) {
      const account = accounts.get(organizationId)
      if (account?.customer) return { ...account.customer }
      if (account?.customerRev !== customerRev) throw new CommonError('service_unavailable')
      const { customerRequest: _customerRequest, ...rest } = account
      accounts.set(organizationId, { ...rest, customer: { ...customer } })
      return customer
    },

    async freezeCustomer({ organizationId, customerRev }, request) {
      const account = accounts.get(organizationId)
      if (account?.customer) return { kind: 'bound', customer: { ...account.customer } }
      if (account?.customerRev !== customerRev) throw new CommonError('service_unavailable')
      const customerRequest = account.customerRequest ?? copy(request)
      accounts.set(organizationId, { ...account, customerRequest })
      return { kind: 'frozen', request: copy(customerRequest) }
    },

    async unbindCustomer(organizationId, former) {
      const account = accounts.get(organizationId)
      if (account?.customer?.digest !== former.digest) return false
      if (!products.every((product) => isFree(slotOf(organizationId, product)))) return false
      const { customer: _customer, formerCustomers = [], ...rest } = account
      const customerRev = rest.customerRev + 1
      accounts.set(organizationId, copy({ ...rest, customerRev, formerCustomers: [...formerCustomers, former] }))
      return true
    },

    async switchGateway({ organizationId, ...from }, to, entry) {
      if (entries.has(entry.id)) return 'written'
      const account = accounts.get(organizationId)
      if (!account || !isDeepStrictEqual(termsOf(account), termsOf(from))) return 'conflict'
      const moves = from.gateway !== to.gateway
      if (moves && !products.every((product) => isFree(slotOf(organizationId, product)))) return 'held'
      const { gateway: _gateway, daysUntilDue: _daysUntilDue, ...rest } = account
      accounts.set(organizationId, copy({ ...rest, ...to }))
      append([entry])
      return 'written'
    },

    async fenceCards(read, slots, fence) {
      const account = accounts.get(read.organizationId)
      if (!account || !isDeepStrictEqual(payingOf(account), payingOf(read))) return 'conflict'
      if (!slots.every((slot) => slotOf(slot.organizationId, slot.product).rev === slot.rev)) return 'conflict'
      accounts.set(read.organizationId, { ...account, cardFence: copy(fence) })
      return 'written'
    },
    async unfenceCards(organizationId, { owner }) {
      const account = accounts.get(organizationId)
      if (account?.cardFence?.owner !== owner) return
      const { cardFence: _cardFence, ...rest } = account
      accounts.set(organizationId, rest)
    },

    async announce(event) {
      const isKnown = events.some(
        ({ organizationId, id }) => organizationId === event.organizationId && id === event.id,
      )
      if (!isKnown) events.push(copy(event))
    },
    addEntry: async (entry) => append([entry]),
    async recordAccountChange(organizationId, { of, value }, entry) {
      const key = `${organizationId} ${of}`
      if (!accounts.has(organizationId) || changes.get(key) === value) return
      changes.set(key, value)
      append([entry])
    },

    async listPending() {
      const pending = [...slots.values()].flatMap(({ organizationId, product, claim }) =>
        claim ? [{ organizationId, product, nextSweepAt: claim.nextSweepAt, firstSent: claim.firstSent }] : [],
      )
      return pending.toSorted((one, other) => one.nextSweepAt - other.nextSweepAt)
    },
    passes: {
      readPass: async () => copy(pass),
      async writePass(next) {
        if ((pass?.rev ?? 0) !== next.rev - 1) return false
        pass = copy(next)
        return true
      },
      readSlots: async (names) => [
        ...new Map(names.map((name) => [productCode(name), slotOf(name.organizationId, name.product)])).values(),
      ],
      async markSeen(name, subscriptionId, passId) {
        const slot = slots.get(productCode(name))
        if (slot?.subscription?.id === subscriptionId) marks.set(slot, passId)
      },
      async noteExpiringCard(organizationId, month, mail) {
        const key = `${organizationId} expiring_card`
        if (!accounts.has(organizationId) || changes.get(key) === month) return
        changes.set(key, month)
        store([mail])
      },
      listHeld: async (passId) => ({
        rows: [...slots.values()]
          .filter((slot) => !isFree(slot))
          .map((slot) => ({ slot: copy(slot), seen: marks.get(slot) === passId })),
      }),
    },
    mails: {
      listDue: async (now) =>
        [...mails.values()]
          .filter(({ dueAt }) => dueAt <= now)
          .toSorted((one, other) => one.dueAt - other.dueAt)
          .map(({ mail: { organizationId, id } }) => ({ organizationId, id })),
      async claim(name, { now, until }) {
        const held = mails.get(mailKey(name))
        if (!held || held.dueAt > now) return { kind: 'taken' }
        if (held.claimed) return { kind: 'cut_off', mail: copy(held.mail) }
        Object.assign(held, { claimed: true, dueAt: until, attempts: held.attempts + 1 })
        return { kind: 'claimed', mail: copy(held.mail), attempts: held.attempts }
      },
      async release(name, at) {
        const held = mails.get(mailKey(name))
        if (held) Object.assign(held, { claimed: false, dueAt: at })
      },
      async remove(name) {
        mails.delete(mailKey(name))
      },
    },

    async createOrganization(organizationId, createdAt) {
      accounts.set(organizationId, {
        organizationId,
        name: 'Acme',
        createdAt,
        gateway: 'card' as const,
        customerRev: 0,
      })
    },
    async endGrants(userId) {
      ended.add(userId)
    },
    async setMembership(organizationId, userId, role) {
      roles.set(memberKey(organizationId, userId), role)
    },
    overwrite(slot) {
      slots.set(productCode(slot), copy(slot))
    },
    save: () =>
      copy({
        accounts: [...accounts.values()],
        roles: [...roles],
        slots: [...slots.values()],
        redemptions: [...redemptions.values()],
        entries: [...entries.values()],
        changes: [...changes],
        mails: [...mails.values()],
        events,
        entitled,
      }),
    load(stored) {
      const own = copy(stored)
      refill(
        accounts,
        own.accounts.map((row) => [row.organizationId, row]),
      )
      refill(roles, own.roles)
      events.splice(0, Infinity, ...own.events)
      entitled.splice(0, Infinity, ...own.entitled)
      refill(
        slots,
        own.slots.map((row) => [productCode(row), row]),
      )
      refill(
        redemptions,
        own.redemptions.map((row) => [redemptionKey(row.couponId, row.redeemer), row]),
      )
      refill(
        entries,
        own.entries.map((row) => [row.id, row]),
      )
      refill(changes, own.changes)
      refill(
        mails,
        own.mails.map((row) => [mailKey(row.mail), row]),
      )
    },
  }

  /** An entry that is there is not written again. */
  function append(added: readonly AuditEntry[]): void {
    for (const entry of copy(added)) if (!entries.has(entry.id)) entries.set(entry.id, entry)
  }

  function store(added: readonly MoneyMail[]): void {
    for (const mail of copy(added)) mails.set(mailKey(mail), { mail, dueAt: mail.at, attempts: 0, claimed: false })
  }

  function write({ next, redemption, entries: added = [], mails: written = [], events: said = [] }: SlotChange): void {
    append(added)
    store(written)
    events.push(...copy(said))
    if (entitlementIn(slotOf(next.organizationId, next.product)) !== entitlementIn(next))
      entitled.push(revisionOf(next))
    slots.set(productCode(next), copy(next))
    if (!redemption) return
    const { coupon, change } = redemption
    const redeemer = redeemerIn(coupon)
    const key = redemptionKey(coupon.id, redeemer)
    if (change === 'release') redemptions.delete(key)
    else {
      const holder = { productCode: productCode(next), n: next.n }
      const state = change === 'reserve' ? 'RESERVED' : 'APPLIED'
      redemptions.set(key, { couponId: coupon.id, redeemer, ...holder, state })
    }
  }
}

/** Reserving fails where there is any redemption, of an earlier version too, applying where another purchase holds it, releasing unless this one does. */
function couponFails({ next, redemption }: SlotChange, redemptions: ReadonlyMap<string, Redemption>): boolean {
  if (!redemption) return false
  const { coupon, change, earlierId } = redemption
  const held = redemptions.get(redemptionKey(coupon.id, redeemerIn(coupon)))
  const mine = held?.productCode === productCode(next) && held.n === next.n
  const heldEarlier = earlierId !== undefined && redemptions.has(redemptionKey(coupon.id, earlierId))
  if (change === 'reserve') return held !== undefined || heldEarlier
  return change !== 'release' ? held !== undefined && !mine : !mine
}

function refuseMalformed({ entries = [] }: SlotChange): void {
  if (new Set(entries.map(({ id }) => id)).size < entries.length) throw new CommonError('service_unavailable')
}

/** What a slot entitles to: whether, and until when. */
function entitlementIn(slot: Slot): string {
  const { active, validUntil } = entitlementOf(slot, '')
  return `${active} ${validUntil}`
}

/** A write of a slot by its name. */
export function revisionOf(slot: Pick<Slot, 'organizationId' | 'product' | 'rev'>): string {
  return `${slot.organizationId} slot:${slot.product} ${slot.rev}`
}

/** Through JSON: like the store it keeps no `undefined`, and its objects are of this realm, which deep equality asks for. */
const copy = <Value>(value: Value): Value => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
const termsOf = ({ gateway, daysUntilDue }: PaymentTerms) => [gateway, daysUntilDue]
/** What of an account a purchase depends on. */
const payingOf = (account: PayingAccount | undefined) =>
  account && [account.customerRev, account.cardFence?.owner ?? null, ...termsOf(account)]
const memberKey = (organizationId: string, userId: string) => `${organizationId}/${userId}`
const mailKey = ({ organizationId, id }: MoneyMailName) => `${organizationId} ${id}`
const redemptionKey = (couponId: string, redeemer: string) => `coupon ${couponId}/${redeemer}`
const redeemerIn = ({ redeemer, userId }: AppliedCoupon) => redeemer ?? userId

function refill<Value>(map: Map<string, Value>, entries: Iterable<readonly [string, Value]>): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
