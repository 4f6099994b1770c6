import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { products } from '../../../lib/billing/catalog.ts'
import { invoiceEvent } from '../../../lib/billing/customer/invoiceEvent.ts'
import type { MoneyMails } from '../../../lib/billing/mails/ports.ts'
import type { Pass } from '../../../lib/billing/reconcile/pass.ts'
import type { ListedSlot, PassRecords } from '../../../lib/billing/reconcile/passContext.ts'
import { slotEntry } from '../../../lib/billing/slot/auditOf.ts'
import { cardExpiringMail, type MoneyMail } from '../../../lib/billing/slot/moneyMail.ts'
import type {
  AccountChange,
  BillingAccount,
  BillingRecords,
  PaymentTerms,
  RedemptionChange,
  SlotChange,
  SlotListing,
} from '../../../lib/billing/slot/ports.ts'
import { redeemerOf } from '../../../lib/billing/slot/redeemer.ts'
import { claimed, emptySlot, released, type Slot } from '../../../lib/billing/slot/slot.ts'
import { projected } from '../../../lib/billing/slot/slotChange.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { EventDraft } from '../../../lib/events/event.ts'
import type { AuditDone, AuditEntry, Role, StoredAuditEntry } from '../../../lib/organizations/ports.ts'
import { claimAt, noon, paidInvoice, soldPrice, subscription } from '../../billing/fixtures.ts'

/** A store to be held to the contract, and how organizations come into it. */
export interface RecordsUnderTest {
  readonly records: BillingRecords
  readonly slots: SlotListing
  readonly passes: PassRecords
  readonly mails: MoneyMails
  /** What the audit log has of an organization. */
  entries(organizationId: OrganizationId): Promise<readonly StoredAuditEntry[]>
  /** Its events that have no number yet. */
  events(organizationId: OrganizationId): Promise<readonly EventDraft[]>
  createOrganization(organizationId: OrganizationId, createdAt: string): Promise<void>
  setMembership(organizationId: OrganizationId, userId: UserId, role: Role): Promise<void>
  /** Of a user who may have none yet. */
  createUser(userId: UserId): Promise<void>
  endGrants(userId: UserId): Promise<void>
}

const at = noon * 1000
const byAction = (one: StoredAuditEntry, other: StoredAuditEntry) => one.action.localeCompare(other.action)
const createdAt = '2026-11-21T12:00:00Z'

/** What every `BillingRecords` must do; `open` is asked before each rule. */
export function describeBillingRecords(open: () => RecordsUnderTest): void {
  let store: RecordsUnderTest
  let organizationId: OrganizationId
  let account: BillingAccount
  const newUser = () => userIdSchema.parse(randomUUID())
  const user = newUser()
  const caller: Caller = { userId: user, securityRev: 0 }

  beforeEach(async () => {
    store = open()
    await store.createUser(user)
    organizationId = organizationIdSchema.parse(randomUUID())
    await store.createOrganization(organizationId, createdAt)
    account = { organizationId, name: 'Acme', createdAt, gateway: 'card', customerRev: 0 }
  })

  const free = (product: Slot['product'] = 'ota') => emptySlot(organizationId, product)
  const coupon = () => ({
    id: randomUUID(),
    code: 'WELCOME',
    userId: user,
    redeemer: redeemerOf(caller, undefined).digest,
  })
  function claim(slot: Slot, applied?: Slot['coupon'], owner = 'w1', firstSent = at): Slot {
    const terms = { owner, firstSent, nextSweepAt: firstSent + 60_000, frozenRequest: '{"a":1}', userId: user }
    return claimed(slot, claimAt(at, terms), applied)
  }
  function change(next: Slot, redemption?: RedemptionChange, applied = next.coupon): SlotChange {
    return { next, ...(redemption && applied && { redemption: { coupon: applied, change: redemption } }) }
  }
  const commit = (...args: Parameters<BillingRecords['commit']>) => store.records.commit(...args)
  const stored = async (product: Slot['product'] = 'ota') =>
    (await store.records.readSlot(organizationId, product)).slot
  const away = expect.objectContaining({ code: 'service_unavailable' })

  describe('read', () => {
    it('answers an empty slot for every product, and neither role nor account for an unknown user', async () => {
      const stranger = organizationIdSchema.parse(randomUUID())
      expect(await store.records.read(stranger, caller)).toMatchObject({
        role: undefined,
        account: undefined,
        slots: products.map((product) => emptySlot(stranger, product)),
      })
      await store.setMembership(organizationId, user, 'billing_admin')
      const { slots: _slots, ...rest } = await store.records.read(organizationId, caller)
      expect(rest).toMatchObject({ role: 'billing_admin', account })
      expect(await store.records.readAccount(organizationId)).toEqual(account)
      expect(await store.records.readAccount(stranger)).toBeUndefined()
    })

    it('answers the slots of the products that were asked for alone, in that order, or none', async () => {
      const pending = claim(free('monitoring'))
      await commit(change(pending))
      const slotsOf = async (asked: readonly Slot['product'][]) =>
        (await store.records.read(organizationId, caller, asked)).slots
      expect(await slotsOf(['monitoring', 'ota'])).toEqual([pending, free('ota')])
      expect(await slotsOf([])).toEqual([])
    })

    it('is refused to a caller whose grant has ended', async () => {
      const former = { userId: newUser(), securityRev: 0 }
      await store.createUser(former.userId)
      await store.setMembership(organizationId, former.userId, 'owner')
      expect(await store.records.read(organizationId, former)).toMatchObject({ role: 'owner' })
      await store.endGrants(former.userId)
      const ended = expect.objectContaining({ code: 'invalid_token' })
      await expect(store.records.read(organizationId, former)).rejects.toEqual(ended)
    })

    it('answers what was written, and nothing that is changed in it afterwards', async () => {
      const pending = claim(free())
      await commit(change(pending))
      pending.n = 99
      const read = (await store.records.read(organizationId, caller)).slots[0]
      expect(read).toEqual({ ...pending, n: 1 })
      if (read) read.n = 98
      expect((await stored()).n).toBe(1)
    })
  })

  describe('commit, conditional on rev', () => {
    it('writes the successor of the current slot and answers null', async () => {
      const pending = claim(free())
      expect(await commit(change(pending))).toBeNull()
      expect(await commit(change(released(pending)))).toBeNull()
      expect(await stored()).toEqual(released(pending))
    })

    // [catch transactWrite.writeAll]
    it('lets one of two claims win and answers the other with the current slot', async () => {
      const winner = claim(free(), undefined, 'winner')
      const answers = [await commit(change(winner)), await commit(change(claim(free(), undefined, 'loser')))]
      expect(answers).toEqual([null, { slot: winner, couponTaken: false, accountChanged: false }])
    })

    it('refuses a rev that was skipped, and names no slot where there is none', async () => {
      expect(await commit(change({ ...claim(free()), rev: 2 }))).toEqual({
        slot: undefined,
        couponTaken: false,
        accountChanged: false,
      })
      await commit(change(claim(free())))
      const conflict = await commit(change({ ...claim(free()), rev: 3 }))
      expect(conflict?.slot).toEqual(claim(free()))
    })

    it('counts a change that is already written as committed', async () => {
      const reserved = claim(free(), coupon())
      expect([await commit(change(reserved, 'reserve')), await commit(change(reserved, 'reserve'))]).toEqual([
        null,
        null,
      ])
      const alone = claim(free('monitoring'))
      expect([await commit(change(alone)), await commit(change(alone))]).toEqual([null, null])
      const elsewhere = { ...alone, n: 2 }
      expect(await commit(change(elsewhere))).toEqual({ slot: alone, couponTaken: false, accountChanged: false })
    })

    // [catch transactWrite.transactWrite]
    it('writes all of a change or nothing: the coupon of a claim that lost its slot is not reserved', async () => {
      const taken = claim(free('ota'), undefined, 'other')
      await commit(change(taken))
      const late = claim(free('ota'), coupon())
      const conflict = await commit(change(late, 'reserve'))
      expect(conflict).toEqual({ slot: taken, couponTaken: false, accountChanged: false })
      expect(await commit(change(claim(free('monitoring'), late.coupon), 'reserve'))).toBeNull()
    })
  })

  describe('commit of a redemption', () => {
    it('reserves once for one coupon and user, and leaves the loser’s slot alone', async () => {
      const applied = coupon()
      expect(await commit(change(claim(free('ota'), applied), 'reserve'))).toBeNull()
      const second = change(claim(free('monitoring'), applied), 'reserve')
      expect(await commit(second)).toEqual({ slot: undefined, couponTaken: true, accountChanged: false })
      expect(await stored('monitoring')).toEqual(free('monitoring'))
      const forSomebodyElse = { ...applied, redeemer: 'other' }
      expect(await commit(change(claim(free('monitoring'), forSomebodyElse), 'reserve'))).toBeNull()
    })

    it('is read by its coupon and user while a purchase holds it', async () => {
      const pending = claim(free(), coupon())
      const { id } = pending.coupon ?? coupon()
      const redeemer = redeemerOf(caller, undefined)
      const stranger = redeemerOf({ userId: newUser(), securityRev: 0 }, undefined)
      const read = () => store.records.isRedeemed(id, redeemer)
      expect(await read()).toBe(false)
      await commit(change(pending, 'reserve'))
      expect([await read(), await store.records.isRedeemed(id, stranger)]).toEqual([true, false])
      await commit(change(released(pending), 'release', pending.coupon))
      expect(await read()).toBe(false)
    })

    it('counts one that an earlier version stored under the user’s id: none is reserved beside it, and its holder gives it back', async () => {
      const { digest, earlierId } = redeemerOf(caller, undefined)
      const { redeemer: _redeemer, ...applied } = coupon()
      const earlier = claim(free(), applied)
      await commit(change(earlier, 'reserve'))
      const reserve = (slot: Slot): SlotChange => ({
        next: claim(slot, { ...applied, redeemer: digest }),
        redemption: { coupon: { ...applied, redeemer: digest }, change: 'reserve', earlierId },
      })
      expect(await store.records.isRedeemed(applied.id, { digest, earlierId })).toBe(true)
      const refused = { slot: undefined, couponTaken: true, accountChanged: false }
      expect(await commit(reserve(free('monitoring')))).toEqual(refused)
      expect(await commit(change(released(earlier), 'release', applied))).toBeNull()
      expect(await store.records.isRedeemed(applied.id, { digest, earlierId })).toBe(false)
      expect(await commit(reserve(free('monitoring')))).toBeNull()
      expect(await store.records.isRedeemed(applied.id, { digest, earlierId })).toBe(true)
      expect(await commit(reserve(free('remote_ssh')))).toEqual(refused)
    })

    it('keeps an applied one: it is not reserved again, not even by its holder', async () => {
      const pending = claim(free(), coupon())
      await commit(change(pending, 'reserve'))
      const live = projected(pending, subscription())
      expect(await commit(change(live, 'apply'))).toBeNull()
      const again = claim(projected(live, subscription({ status: 'canceled' })), pending.coupon)
      await commit(change(projected(live, subscription({ status: 'canceled' }))))
      expect(await commit(change(again, 'reserve'))).toEqual({
        slot: undefined,
        couponTaken: true,
        accountChanged: false,
      })
    })

    it.each(['apply', 'adopt'] as const)(
      '%s: writes one that is not held, and refuses one that another purchase holds',
      async (how) => {
        const applied = coupon()
        const unheld = claim(free(), applied)
        await commit(change(unheld))
        expect(await commit(change(projected(unheld, subscription()), how))).toBeNull()
        const other = claim(free('monitoring'), applied)
        await commit(change(other))
        const stolen = await commit(change(projected(other, subscription()), how))
        expect(stolen).toEqual({ slot: undefined, couponTaken: true, accountChanged: false })
        expect(await stored('monitoring')).toEqual(other)
      },
    )

    it('gives it back by its holder alone, and then lets anybody reserve it', async () => {
      const pending = claim(free(), coupon())
      await commit(change(pending, 'reserve'))
      const other = claim(free('monitoring'))
      await commit(change(other))
      expect(await commit(change(released(other), 'release', pending.coupon))).toEqual({
        slot: undefined,
        couponTaken: true,
        accountChanged: false,
      })
      const laterPurchase = { ...released(pending), n: 2 }
      expect(await commit(change(laterPurchase, 'release', pending.coupon))).toMatchObject({ couponTaken: true })
      expect(await commit(change(released(pending), 'release', pending.coupon))).toBeNull()
      expect(await commit(change(claim(free('remote_ssh'), pending.coupon), 'reserve'))).toBeNull()
    })

    it('refuses to give back what is not held', async () => {
      const pending = claim(free(), coupon())
      await commit(change(pending))
      expect(await commit(change(released(pending), 'release', pending.coupon))).toEqual({
        slot: undefined,
        couponTaken: true,
        accountChanged: false,
      })
    })

    it('answers both where slot and coupon were lost', async () => {
      const pending = claim(free(), coupon())
      await commit(change(pending, 'reserve'))
      const late = claim(free(), pending.coupon, 'late')
      expect(await commit(change(late, 'reserve'))).toEqual({
        slot: pending,
        couponTaken: true,
        accountChanged: false,
      })
    })
  })

  describe('commit of what the audit log says', () => {
    const entryOf = (slot: Slot, action: 'purchased' | 'canceled' = 'purchased') =>
      slotEntry(slot, { ...doneOf(action, slot.n), actor: { type: 'user', id: user } }, at)

    it('writes it with the change, and once where the change is written again', async () => {
      const pending = claim(free())
      await commit(change(pending))
      const live = projected(pending, subscription())
      const entries = [entryOf(live), entryOf(live, 'canceled')]
      expect(await commit({ next: live, entries })).toBeNull()
      expect(await commit({ next: live, entries })).toBeNull()
      expect((await store.entries(organizationId)).toSorted(byAction)).toEqual(entries.toSorted(byAction))
    })

    it('writes none of a change that is refused', async () => {
      const taken = claim(free())
      await commit(change(taken))
      const late = claim(free(), undefined, 'late')
      expect(await commit({ next: late, entries: [entryOf(late)] })).toMatchObject({
        slot: taken,
        couponTaken: false,
      })
      const other = claim(free('monitoring'))
      const forgotten = await commit({ next: other, entries: [entryOf(other)] }, { ...account, customerRev: 7 })
      expect(forgotten).toEqual({ slot: undefined, couponTaken: false, accountChanged: true })
      expect(await store.entries(organizationId)).toEqual([])
    })

    it('refuses a change with an entry named twice', async () => {
      const pending = claim(free())
      const entry = entryOf(pending)
      await expect(commit({ next: pending, entries: [entry, entry] })).rejects.toEqual(away)
      expect([await stored(), await store.entries(organizationId)]).toEqual([free(), []])
    })
  })

  describe('mails about money', () => {
    const mailOf = (product: Slot['product'] = 'ota', made = at): MoneyMail => ({
      organizationId,
      id: `bought ${product}`,
      at: made,
      fact: { kind: 'bought', product, price: soldPrice },
    })
    /** The due mails of this test's organization: others may have left theirs. */
    const due = async (now = at) =>
      (await store.mails.listDue(now)).filter((name) => name.organizationId === organizationId)
    const times = (now: number) => ({ now, until: now + 600_000 })
    async function stored(mail = mailOf()): Promise<MoneyMail> {
      await commit({ next: claim(free()), mails: [mail] })
      return mail
    }

    it('are stored with the change, and none of a change that is refused', async () => {
      const mail = await stored()
      const late = { next: claim(free(), undefined, 'late'), mails: [mailOf('monitoring')] }
      expect(await commit(late)).toMatchObject({ couponTaken: false })
      expect(await due()).toEqual([{ organizationId, id: mail.id }])
    })

    it.each<MoneyMail['fact']>([
      { kind: 'bought', product: 'ota' },
      { kind: 'canceled', product: 'ota', endsAt: null },
      { kind: 'canceled', product: 'ota', endsAt: noon },
      { kind: 'payment_failed', product: 'ota', charge: { amount: 4900, currency: 'usd', at: noon } },
      { kind: 'invoice_sent', product: 'ota', page: 'https://pay.example.com/i' },
    ])('are read as they were written: %j', async (fact) => {
      const mail = await stored({ ...mailOf(), fact })
      expect(await store.mails.claim(mail, times(at))).toEqual({ kind: 'claimed', mail, attempts: 1 })
    })

    it('are claimed by one run alone, when they are due', async () => {
      const mail = await stored()
      expect([await due(at - 1), await store.mails.claim(mail, times(at - 1))]).toEqual([[], { kind: 'taken' }])
      expect((await store.mails.claim(mail, times(at))).kind).toBe('claimed')
      expect([await due(at + 599_999), await store.mails.claim(mail, times(at + 599_999))]).toEqual([
        [],
        { kind: 'taken' },
      ])
      expect(await store.mails.claim({ ...mail, id: 'other' }, times(at))).toEqual({ kind: 'taken' })
    })

    it('are known to be cut off when the claim of their run has ended', async () => {
      const mail = await stored()
      await store.mails.claim(mail, times(at))
      expect(await due(at + 600_000)).toHaveLength(1)
      expect(await store.mails.claim(mail, times(at + 600_000))).toEqual({ kind: 'cut_off', mail })
    })

    it('are due again when they were given back, and count their attempts', async () => {
      const mail = await stored()
      await store.mails.claim(mail, times(at))
      await store.mails.release(mail, at + 1000)
      expect([await due(at + 999), await due(at + 1000)]).toEqual([[], [{ organizationId, id: mail.id }]])
      expect(await store.mails.claim(mail, times(at + 1000))).toEqual({ kind: 'claimed', mail, attempts: 2 })
    })

    it('are forgotten for good', async () => {
      const mail = await stored()
      await store.mails.claim(mail, times(at))
      await store.mails.remove(mail)
      await store.mails.remove(mail)
      await store.mails.release(mail, at)
      expect([await due(at + 700_000), await store.mails.claim(mail, times(at))]).toEqual([[], { kind: 'taken' }])
    })

    it('are stored once for each organization and month in which cards expire', async () => {
      const note = (month: string) =>
        store.passes.noteExpiringCard(organizationId, month, cardExpiringMail(organizationId, month, at))
      await note('2026-12')
      const mail = cardExpiringMail(organizationId, '2026-12', at)
      expect(await store.mails.claim(mail, times(at))).toEqual({ kind: 'claimed', mail, attempts: 1 })
      await store.mails.remove(mail)
      await note('2026-12')
      expect(await due()).toEqual([])
      await note('2027-01')
      expect(await due()).toEqual([{ organizationId, id: 'card_expiring:2027-01' }])
    })
  })

  describe('what only the gateway keeps', () => {
    const entry = (action: 'removed' | 'default_changed' = 'default_changed', made = at) => {
      const actor = { type: 'user', id: user } as const
      const id = randomUUID()
      return {
        organizationId,
        id,
        at: made,
        actor,
        action: `payment_method.${action}`,
        target: 'x',
        detail: {},
      } as const
    }

    it('is in the audit log once for each change, and not for the same again', async () => {
      const [first, second, third, removed] = [entry(), entry(), entry(), entry('removed')]
      const record = (of: AccountChange['of'], value: string, said: AuditEntry) =>
        store.records.recordAccountChange(organizationId, { of, value }, said)
      await record('default_card', 'one', first)
      await record('default_card', 'one', entry())
      await record('default_card', 'two', second)
      await record('default_card', 'one', third)
      await record('removed_card', 'one', removed)
      const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
      expect((await store.entries(organizationId)).toSorted(byId)).toEqual(
        [first, second, third, removed].toSorted(byId),
      )
      expect(await store.records.readAccount(organizationId)).toEqual(account)
    })

    it('is in no log of an organization that is not known', async () => {
      const stranger = organizationIdSchema.parse(randomUUID())
      await store.records.recordAccountChange(
        stranger,
        { of: 'details', value: 'x' },
        { ...entry(), organizationId: stranger },
      )
      expect(await store.entries(stranger)).toEqual([])
    })

    it('adds an entry once', async () => {
      const said = entry()
      await store.records.addEntry(said)
      await store.records.addEntry(said)
      expect(await store.entries(organizationId)).toEqual([said])
    })
  })

  describe('the slots of an organization', () => {
    it('are read with its account, one for each product, empty where none was written', async () => {
      const live = projected(claim(free('monitoring')), subscription())
      await commit(change(claim(free('monitoring'))))
      await commit(change(live))
      const slots = products.map((product) => (product === 'monitoring' ? live : free(product)))
      expect(await store.records.readSlots(organizationId)).toEqual({ account, slots })
      const stranger = organizationIdSchema.parse(randomUUID())
      const none = products.map((product) => emptySlot(stranger, product))
      expect(await store.records.readSlots(stranger)).toEqual({ account: undefined, slots: none })
    })
  })

  async function everyHeld(passId = 'pass_1'): Promise<ListedSlot[]> {
    const all: ListedSlot[] = []
    for (let cursor: string | undefined; ; ) {
      const { rows, next } = await store.passes.listHeld(passId, cursor)
      all.push(...rows)
      if (next === undefined) return all
      cursor = next
    }
  }

  describe('the lists of slots', () => {
    const own = <Row extends { organizationId: OrganizationId }>(rows: readonly Row[]) =>
      rows.filter((row) => row.organizationId === organizationId)

    it('names the purchases that are not settled, oldest first, and no other', async () => {
      const pending = claim(free('monitoring'), undefined, 'w1', at + 1000)
      for (const next of [pending, claim(free('ota')), claim(free('remote_ssh'))]) await commit(change(next))
      await commit(change(projected(claim(free('remote_ssh')), subscription())))
      expect(own(await store.slots.listPending())).toEqual([
        { organizationId, product: 'ota', nextSweepAt: at + 60_000, firstSent: at },
        { organizationId, product: 'monitoring', nextSweepAt: at + 61_000, firstSent: at + 1000 },
      ])
      await commit(change(released(claim(free('ota')))))
      expect(own(await store.slots.listPending()).map(({ product }) => product)).toEqual(['monitoring'])
    })

    it('gives every slot that is held, as it is stored', async () => {
      const live = projected(claim(free('remote_ssh')), subscription())
      for (const product of ['ota', 'monitoring', 'remote_ssh'] as const) await commit(change(claim(free(product))))
      await commit(change(released(claim(free('monitoring')))))
      await commit(change(live))
      const held = own((await everyHeld()).map(({ slot }) => slot))
      expect(held.toSorted((one, other) => one.product.localeCompare(other.product))).toEqual([
        claim(free('ota')),
        live,
      ])
    })

    it('gives every page of many', async () => {
      const large = { ...coupon(), code: 'x'.repeat(100_000) }
      const organizations = Array.from({ length: 12 }, () => organizationIdSchema.parse(randomUUID()))
      for (const id of organizations) await commit(change(claim(emptySlot(id, 'ota'), large)))
      const listed = (await everyHeld()).map(({ slot }) => slot.organizationId)
      expect(organizations.filter((id) => !listed.includes(id))).toEqual([])
    })
  })

  describe('a pass', () => {
    const owing = organizationIdSchema.parse(randomUUID())
    const first: Pass = {
      id: 'pass_1',
      rev: 1,
      startedAt: at,
      phase: 'subscriptions',
      cursor: 'sub_100',
      adoptOnly: false,
      counts: { events: 1, subscriptions: 100, slots: 0, refunds: 0, disputes: 0, overdue: 1, drift: 2, left: 1 },
      overdue: [
        { organizationId: owing, currency: 'usd', amount: 4900, invoices: 1, since: at / 1000 },
        { organizationId: null, currency: 'usd', amount: 9800, invoices: 2, since: at / 1000 },
      ],
      lastComplete: at - 1000,
    }

    // [catch transactWrite.writeAll]
    it('is kept as it is written, by one run at a time', async () => {
      const rev = ((await store.passes.readPass())?.rev ?? 0) + 1
      const { cursor: _cursor, lastComplete: _lastComplete, ...bare } = first
      expect(await store.passes.writePass({ ...first, rev })).toBe(true)
      expect(await store.passes.readPass()).toEqual({ ...first, rev })
      expect(await store.passes.writePass({ ...bare, rev })).toBe(false)
      expect(await store.passes.writePass({ ...bare, rev: rev + 1 })).toBe(true)
      expect(await store.passes.writePass({ ...bare, rev: rev + 1 })).toBe(false)
      expect(await store.passes.readPass()).toEqual({ ...bare, rev: rev + 1 })
    })

    it('reads the slots with these names, each once, and an empty one that was never written', async () => {
      await commit(change(claim(free('ota'))))
      const names = [free('ota'), free('ota'), free('monitoring')]
      expect(await store.passes.readSlots(names)).toEqual([claim(free('ota')), free('monitoring')])
      expect(await store.passes.readSlots([])).toEqual([])
    })

    it('has seen a held slot that it marked, until the slot is written again', async () => {
      const live = projected(claim(free()), subscription())
      await commit(change(claim(free())))
      await commit(change(live))
      const seen = async (passId: string) =>
        (await everyHeld(passId)).filter(({ slot }) => slot.organizationId === organizationId).map((row) => row.seen)
      expect(await seen('pass_1')).toEqual([false])
      await store.passes.markSeen(live, 'sub_other', 'pass_1')
      expect(await seen('pass_1')).toEqual([false])
      await store.passes.markSeen(live, 'sub_1', 'pass_1')
      expect(await seen('pass_1')).toEqual([true])
      expect(await seen('pass_2')).toEqual([false])
      expect(await stored('ota')).toEqual(live)
      await commit(change(projected(live, subscription({ status: 'past_due' }))))
      expect(await seen('pass_1')).toEqual([false])
    })
  })

  describe('the customer', () => {
    const mine = { cipher: 'c1', digest: 'd1' }
    const theirs = { cipher: 'c2', digest: 'd2' }

    it('is bound by the first writer; every later one is answered with the winner', async () => {
      expect(await store.records.bindCustomer(account, mine)).toEqual(mine)
      expect(await store.records.bindCustomer(account, theirs)).toEqual(mine)
      expect(await store.records.readAccount(organizationId)).toEqual({ ...account, customer: mine })
    })

    // [catch callStore.callStore]
    it('is not bound to an organization that is unknown, or that has forgotten one since', async () => {
      const unknown = { ...account, organizationId: organizationIdSchema.parse(randomUUID()) }
      await expect(store.records.bindCustomer(unknown, mine)).rejects.toEqual(away)
      await store.records.bindCustomer(account, mine)
      await store.records.unbindCustomer(organizationId, mine)
      await expect(store.records.bindCustomer(account, theirs)).rejects.toEqual(away)
      expect(await store.records.bindCustomer({ ...account, customerRev: 1 }, theirs)).toEqual(theirs)
    })

    // [catch writeItem.updateItem]
    it('is created with what the first writer froze, which is deleted when it is bound', async () => {
      const frozen = { name: 'Acme', email: 'first@example.com' }
      expect(await store.records.freezeCustomer(account, frozen)).toEqual({ kind: 'frozen', request: frozen })
      expect(await store.records.freezeCustomer(account, { name: 'Other' })).toEqual({
        kind: 'frozen',
        request: frozen,
      })
      expect(await store.records.readAccount(organizationId)).toEqual({ ...account, customerRequest: frozen })
      await store.records.bindCustomer(account, mine)
      expect(await store.records.readAccount(organizationId)).toEqual({ ...account, customer: mine })
      expect(await store.records.freezeCustomer(account, frozen)).toEqual({ kind: 'bound', customer: mine })
      await store.records.unbindCustomer(organizationId, mine)
      await expect(store.records.freezeCustomer(account, frozen)).rejects.toEqual(away)
      const again = { ...account, customerRev: 1 }
      expect(await store.records.freezeCustomer(again, { name: 'New' })).toEqual({
        kind: 'frozen',
        request: { name: 'New' },
      })
    })

    it('is found by its digest while it is bound, and not by another one', async () => {
      const digest = randomUUID()
      await store.records.bindCustomer(account, { cipher: 'c1', digest })
      expect(await store.records.findOrganizations(digest)).toEqual([organizationId])
      expect(await store.records.findOrganizations(randomUUID())).toEqual([])
      await store.records.unbindCustomer(organizationId, { cipher: 'c1', digest })
      expect(await store.records.findOrganizations(digest)).toEqual([])
    })

    it('is not claimed for once it was forgotten: nothing of such a commit is written', async () => {
      await store.records.bindCustomer(account, mine)
      expect(await commit(change(claim(free('ota'))), account)).toBeNull()
      await commit(change(released(claim(free('ota')))))
      await store.records.unbindCustomer(organizationId, mine)
      const late = await commit(change(claim(free('monitoring'))), account)
      expect(late).toEqual({ slot: undefined, couponTaken: false, accountChanged: true })
      expect(await stored('monitoring')).toEqual(free('monitoring'))
      const again = { ...account, customerRev: 1 }
      expect(await commit(change(claim(free('monitoring'))), again)).toBeNull()
    })

    it('is forgotten only while every slot is free, and only by its own digest', async () => {
      await store.records.bindCustomer(account, mine)
      const pending = claim(free('remote_ssh'))
      await commit(change(pending))
      expect(await store.records.unbindCustomer(organizationId, mine)).toBe(false)
      await commit(change(released(pending)))
      expect(await store.records.unbindCustomer(organizationId, theirs)).toBe(false)
      expect(await store.records.unbindCustomer(organizationId, mine)).toBe(true)
      expect(await store.records.unbindCustomer(organizationId, mine)).toBe(false)
      const once = { ...account, customerRev: 1, formerCustomers: [mine] }
      expect(await store.records.readAccount(organizationId)).toEqual(once)
      await store.records.bindCustomer(once, theirs)
      expect(await store.records.unbindCustomer(organizationId, theirs)).toBe(true)
      const twice = { ...account, customerRev: 2, formerCustomers: [mine, theirs] }
      expect(await store.records.readAccount(organizationId)).toEqual(twice)
    })
  })

  describe('how an organization pays', () => {
    const invoice = { gateway: 'invoice', daysUntilDue: 30 } as const
    const sooner = { ...invoice, daysUntilDue: 14 }
    const card = { gateway: 'card' } as const
    const switched = (): AuditEntry => {
      const actor = { type: 'operator', id: null } as const
      return {
        organizationId,
        id: randomUUID(),
        at,
        actor,
        action: 'organization.gateway_changed',
        target: organizationId,
        detail: { from: 'card', to: 'invoice', days_until_due: 30 },
      }
    }
    const switchTo = (to: PaymentTerms, from: PaymentTerms = account, entry = switched()) =>
      store.records.switchGateway({ organizationId, ...from }, to, entry)
    const read = () => store.records.readAccount(organizationId)

    it('is changed, changed again, and changed back, each with its entry', async () => {
      const entries = [switched(), switched(), switched()]
      expect(await switchTo(invoice, card, entries[0])).toBe('written')
      expect(await read()).toEqual({ ...account, ...invoice })
      expect(await switchTo(sooner, invoice, entries[1])).toBe('written')
      expect(await read()).toEqual({ ...account, ...sooner })
      expect(await switchTo(card, sooner, entries[2])).toBe('written')
      expect(await read()).toEqual(account)
      const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
      expect((await store.entries(organizationId)).toSorted(byId)).toEqual(entries.toSorted(byId))
    })

    it('is changed once by a call that is repeated, also where it was changed back meanwhile', async () => {
      const entry = switched()
      expect(await switchTo(invoice, card, entry)).toBe('written')
      expect(await switchTo(invoice, card, entry)).toBe('written')
      await switchTo(card, invoice)
      expect(await switchTo(invoice, card, entry)).toBe('written')
      expect(await read()).toEqual(account)
      expect(await store.entries(organizationId)).toHaveLength(2)
    })

    it('is changed only from what was read: neither from another gateway, nor from other terms, nor where there is no account', async () => {
      expect(await switchTo(card, invoice)).toBe('conflict')
      await switchTo(invoice, card)
      expect(await switchTo(sooner, card)).toBe('conflict')
      expect(await switchTo(card, sooner)).toBe('conflict')
      expect(await switchTo(card, { gateway: 'invoice' })).toBe('conflict')
      const organization = organizationIdSchema.parse(randomUUID())
      const stranger = { organizationId: organization, ...card }
      const entry = { ...switched(), organizationId: organization }
      expect(await store.records.switchGateway(stranger, invoice, entry)).toBe('conflict')
      expect(await store.records.readAccount(organization)).toBeUndefined()
      expect(await read()).toEqual({ ...account, ...invoice })
      expect(await store.entries(organizationId)).toHaveLength(1)
    })

    it.each(products)('is moved to another gateway only while %s is neither pending nor held', async (product) => {
      const pending = claim(free(product))
      await commit(change(pending))
      expect(await switchTo(invoice)).toBe('held')
      const live = projected(pending, subscription())
      await commit(change(live))
      expect(await switchTo(invoice)).toBe('held')
      expect(await read()).toEqual(account)
      expect(await store.entries(organizationId)).toEqual([])
      await commit(change(projected(live, subscription({ status: 'canceled' }))))
      expect(await switchTo(invoice)).toBe('written')
    })

    it('has other days also while a slot is held', async () => {
      await switchTo(invoice)
      await commit(change(claim(free())))
      expect(await switchTo(sooner, invoice)).toBe('written')
      expect(await read()).toEqual({ ...account, ...sooner })
    })

    it('is what a claim depends on: none is written where gateway or days are not those that were read', async () => {
      const claimAs = (terms: PaymentTerms) =>
        commit(change(claim(free())), { organizationId, customerRev: 0, ...terms })
      const changed = { slot: undefined, couponTaken: false, accountChanged: true }
      const bare = { gateway: 'invoice' } as const
      expect(await claimAs(bare)).toEqual(changed)
      await switchTo(bare, card)
      expect(await claimAs(card)).toEqual(changed)
      await switchTo(card, bare)
      expect(await claimAs(bare)).toEqual(changed)
      expect(await claimAs(invoice)).toEqual(changed)
      await switchTo(invoice, card)
      expect(await claimAs(card)).toEqual(changed)
      expect(await claimAs(sooner)).toEqual(changed)
      expect(await claimAs(bare)).toEqual(changed)
      expect(await stored()).toEqual(free())
      expect(await claimAs(invoice)).toBeNull()
    })
  })

  describe('the fence of a removal of a card', () => {
    const fence = { owner: 'one', until: at + 45_000 }
    const later = { owner: 'two', until: at + 90_000 }
    const fenceCards = (slots: readonly Slot[], set = fence, read: BillingAccount = account) =>
      store.records.fenceCards(read, slots, set)
    const everySlot = () => products.map((product) => free(product))
    const read = () => store.records.readAccount(organizationId)

    it('is written while every slot is as it was read, and ended by its own invocation alone', async () => {
      expect(await fenceCards(everySlot())).toBe('written')
      expect(await read()).toEqual({ ...account, cardFence: fence })
      await store.records.unfenceCards(organizationId, later)
      expect(await read()).toEqual({ ...account, cardFence: fence })
      await store.records.unfenceCards(organizationId, fence)
      expect(await read()).toEqual(account)
      await store.records.unfenceCards(organizationId, fence)
    })

    it.each(products)('is not written where %s was claimed since, nor where it changed after', async (product) => {
      const pending = claim(free(product))
      await commit(change(pending))
      expect(await fenceCards(everySlot())).toBe('conflict')
      const asRead = everySlot().map((slot) => (slot.product === product ? pending : slot))
      await commit(change(released(pending)))
      expect(await fenceCards(asRead)).toBe('conflict')
      expect(await read()).toEqual(account)
    })

    it('is not written where another removal has begun or ended since, nor for another customer or other terms', async () => {
      await fenceCards(everySlot())
      expect(await fenceCards(everySlot(), later)).toBe('conflict')
      expect(await fenceCards(everySlot(), later, { ...account, cardFence: fence })).toBe('written')
      expect(await fenceCards(everySlot(), fence, { ...account, cardFence: fence })).toBe('conflict')
      await store.records.unfenceCards(organizationId, later)
      expect(await fenceCards(everySlot(), fence, { ...account, cardFence: later })).toBe('conflict')
      expect(await fenceCards(everySlot(), fence, { ...account, customerRev: 1 })).toBe('conflict')
      expect(await fenceCards(everySlot(), fence, { ...account, gateway: 'invoice' })).toBe('conflict')
      expect(await read()).toEqual(account)
    })

    it('is what a claim depends on: none is written where a fence was set or ended since', async () => {
      const changed = { slot: undefined, couponTaken: false, accountChanged: true }
      await fenceCards(everySlot())
      expect(await commit(change(claim(free())), account)).toEqual(changed)
      const fenced = { ...account, cardFence: fence }
      await store.records.unfenceCards(organizationId, fence)
      expect(await commit(change(claim(free())), fenced)).toEqual(changed)
      expect(await commit(change(claim(free())), account)).toBeNull()
    })
  })

  describe('announce', () => {
    const paid = () =>
      invoiceEvent('invoice.paid', organizationId, { invoice: { ...paidInvoice(), product: 'ota' }, fact: 'in_1', at })

    it('stores an event once, however often and at whatever times its fact is seen', async () => {
      for (const seen of [at, at, at + 9000]) await store.records.announce({ ...paid(), at: seen, revision: seen })
      expect(await store.events(organizationId)).toEqual([expect.objectContaining({ ...paid(), data: paid().data })])
    })

    it('stores events of other facts and organizations beside it', async () => {
      const stranger = organizationIdSchema.parse(randomUUID())
      for (const event of [paid(), { ...paid(), id: 'evt_2' }, { ...paid(), organizationId: stranger }]) {
        await store.records.announce(event)
      }
      expect(await store.events(organizationId)).toHaveLength(2)
      expect(await store.events(stranger)).toHaveLength(1)
    })
  })

  describe('readTogether', () => {
    it('answers the account and the slots that were asked for, in that order, an empty one where there is none', async () => {
      const pending = claim(free('monitoring'))
      await commit(change(pending))
      expect(await store.records.readTogether(organizationId, ['monitoring', 'ota'])).toEqual({
        account,
        slots: [pending, free('ota')],
      })
      const stranger = organizationIdSchema.parse(randomUUID())
      expect(await store.records.readTogether(stranger, ['ota'])).toEqual({
        account: undefined,
        slots: [emptySlot(stranger, 'ota')],
      })
    })

    it('shows a change of the account that was written before a claim, and a claim that keeps one from being written', async () => {
      const switchTo = (to: PaymentTerms, from: PaymentTerms) => {
        const said = slotEntry(free(), { ...doneOf('purchased', 1), actor: { type: 'user', id: user } }, at)
        return store.records.switchGateway({ organizationId, ...from }, to, { ...said, id: randomUUID() })
      }
      const card = { gateway: 'card' } as const
      const invoice = { gateway: 'invoice', daysUntilDue: 30 } as const
      expect(await switchTo(invoice, card)).toBe('written')
      await commit(change(claim(free())))
      expect(await store.records.readTogether(organizationId, ['ota'])).toMatchObject({
        account: invoice,
        slots: [{ state: 'pending' }],
      })
      expect(await switchTo(card, invoice)).toBe('held')
    })
  })
}

/** A fact about a slot's purchase of this number. */
function doneOf(what: 'purchased' | 'canceled', n: number): AuditDone {
  if (what === 'canceled') return { action: 'subscription.canceled', detail: { ended_at: '2026-11-21T00:00:00Z' } }
  const detail = { plan_code: 'base_ota', status: 'active', coupon_code: null, n }
  return { action: 'subscription.purchased', detail }
}
