import { describe, expect, it } from '@jest/globals'
import { commentOf, readComment } from '../../../lib/adapters/stripe/requestedChange.ts'
import {
  cancellationReasonSchema,
  type GatewaySubscription,
  type RequestedChange,
} from '../../../lib/billing/gateway/subscription.ts'
import { fencedForPayment, type Slot } from '../../../lib/billing/slot/slot.ts'
import { toFree, toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import {
  expired,
  liveSlot,
  noon,
  organizationId,
  pendingSlot,
  purchase,
  slot,
  subscription,
  userId,
} from '../fixtures.ts'

const now = noon * 1000
const other = userIdSchema.parse('7b0f4f5e-2f0d-4a51-9d5e-6a1c0f1f3b77')
const end = noon + 30 * 86_400
const at = '2026-12-21T12:00:00Z'
const asked = (change: RequestedChange['change']) => ({ requested: { change, by: other } })

const incomplete = liveSlot({ state: 'incomplete' })
if (incomplete.subscription) incomplete.subscription = { ...incomplete.subscription, status: 'incomplete' }
const live = liveSlot()
const scheduled = liveSlot()
if (scheduled.subscription) scheduled.subscription = { ...scheduled.subscription, cancelAt: end }
const pastDue = liveSlot({ state: 'past_due' })
if (pastDue.subscription) pastDue.subscription = { ...pastDue.subscription, status: 'past_due' }
const ended = toSubscription(live, subscription({ status: 'canceled', endedAt: noon }), now).next

const payer = { owner: 'one', userId: other, since: now - 3_600_000 }
const byUser = `user ${userId}`
const byOther = `user ${other}`
const said = (before: Parameters<typeof toSubscription>[0], latest: Partial<GatewaySubscription>) =>
  (toSubscription(before, subscription(latest), now).entries ?? []).map(({ actor, action }) =>
    [action.replace('subscription.', ''), actor.type, ...(actor.id === null ? [] : [actor.id])].join(' '),
  )

describe('What the audit log says of a slot’s write', () => {
  it.each<[string, Parameters<typeof toSubscription>[0], Partial<GatewaySubscription>, string[]]>([
    ['a purchase is its buyer’s', pendingSlot(), {}, [`purchased ${byUser}`]],
    ['a purchase that waits for its buyer is none yet', pendingSlot(), { status: 'incomplete', wasPaid: false }, []],
    ['one that was authenticated is its buyer’s', incomplete, {}, [`purchased ${byUser}`]],
    ['one that ended unpaid is none', pendingSlot(), expired, []],
    ['one that was never authenticated is none', incomplete, expired, []],
    [
      'one that was paid and has ended is both',
      pendingSlot(),
      { status: 'canceled', endedAt: noon },
      [`purchased ${byUser}`, 'canceled gateway'],
    ],
    [
      'one that is found and canceled at the end of its period is both',
      pendingSlot(),
      { cancelAt: end, ...asked('schedule') },
      [`purchased ${byUser}`, `cancellation_scheduled ${byOther}`],
    ],
    ['a subscription that is found at the gateway is the gateway’s', slot(), {}, ['purchased gateway']],
    ['an edited buyer is nobody', incomplete, { purchase: { ...purchase, user_id: 'x' } }, ['purchased gateway']],
    [
      'a scheduled end is the user’s who asked',
      live,
      { cancelAt: end, ...asked('schedule') },
      [`cancellation_scheduled ${byOther}`],
    ],
    ['one that was scheduled by hand is the gateway’s', live, { cancelAt: end }, ['cancellation_scheduled gateway']],
    [
      'one that was moved is the gateway’s',
      scheduled,
      { cancelAt: end + 1, ...asked('schedule') },
      ['cancellation_scheduled gateway'],
    ],
    ['one that is asked for again is none', scheduled, { cancelAt: end, ...asked('schedule') }, []],
    ['one that was taken back is the user’s who asked', scheduled, asked('resume'), [`resumed ${byOther}`]],
    ['one that was taken back by hand is the gateway’s', scheduled, asked('schedule'), ['resumed gateway']],
    [
      'an end at once is the user’s who asked',
      live,
      { status: 'canceled', endedAt: noon, ...asked('cancel') },
      [`canceled ${byOther}`],
    ],
    [
      'an end as scheduled is the gateway’s',
      scheduled,
      { status: 'canceled', endedAt: end, ...asked('schedule') },
      ['canceled gateway'],
    ],
    ['an end that is written again is none', ended, { status: 'canceled', endedAt: noon, ...asked('cancel') }, []],
    ['a renewal is the gateway’s', live, { currentPeriodEnd: end + 1 }, ['renewed gateway']],
    [
      'a renewal that is unpaid is a status',
      live,
      { currentPeriodEnd: end + 1, status: 'past_due' },
      ['status_changed gateway'],
    ],
    ['one that was paid at last is a status', pastDue, {}, ['status_changed gateway']],
    ['one that a user paid is that user’s', fencedForPayment(pastDue, payer), {}, [`status_changed ${byOther}`]],
    [
      'one that was paid long after a user’s payment was cut off is the gateway’s',
      fencedForPayment(pastDue, { ...payer, since: payer.since - 1 }),
      {},
      ['status_changed gateway'],
    ],
    [
      'one that was given up while a user paid is the gateway’s',
      fencedForPayment(pastDue, payer),
      { status: 'unpaid' },
      ['status_changed gateway'],
    ],
    [
      'a purchase that another user pays is its buyer’s',
      fencedForPayment(incomplete, payer),
      {},
      [`purchased ${byUser}`],
    ],
    ['the same again is none', live, {}, []],
  ])('%s', (_, before, latest, expected) => {
    expect(said(before, latest)).toEqual(expected)
  })

  it('holds the reason of a cancellation that the user gave, and of no later end or date', () => {
    const details = (before: Slot, latest: Partial<GatewaySubscription>) =>
      (toSubscription(before, subscription(latest), now).entries ?? []).map(({ detail }) => detail)
    const requested = { change: 'schedule', by: other, reason: 'unused' } as const
    expect(details(live, { cancelAt: end, requested })).toEqual([{ cancel_at: at, reason: 'unused' }])
    expect(details(scheduled, { cancelAt: end + 60, requested })).toEqual([{ cancel_at: expect.any(String) }])
    const canceled = { status: 'canceled', endedAt: noon } as const
    expect(details(scheduled, { ...canceled, requested })).toEqual([{ ended_at: expect.any(String) }])
    const atOnce = { ...requested, change: 'cancel' } as const
    expect(details(live, { ...canceled, requested: atOnce })).toMatchObject([{ reason: 'unused' }])
  })

  it('is none where a claim is given back', () => {
    expect(toFree(pendingSlot())).not.toHaveProperty('entries')
  })

  it('holds what was bought, when, and in order', () => {
    const before = pendingSlot({ coupon: { id: 'co_1', code: 'HALF', userId } })
    const { entries, next } = toSubscription(before, subscription({ cancelAt: end, ...asked('schedule') }), now)
    expect(entries).toMatchObject([
      {
        organizationId,
        at: now,
        target: 'ota',
        detail: { plan_code: 'base_ota', status: 'active', coupon_code: 'HALF', n: 1 },
      },
      { organizationId, at: now + 1, target: 'ota', detail: { cancel_at: at } },
    ])
    const again = toSubscription(before, subscription({ cancelAt: end, ...asked('schedule') }), now)
    expect(again.entries).toEqual(entries)
    const [first] = toSubscription({ ...before, rev: next.rev }, subscription(), now).entries ?? []
    expect(entries?.map(({ id }) => id)).not.toContain(first?.id)
    for (const { id } of entries ?? [])
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('Who asked, as the gateway keeps it', () => {
  it.each(['schedule', 'cancel', 'resume'] as const)('is read as it was written: %s', (change) => {
    expect(readComment(commentOf({ change, by: other }))).toEqual({ change, by: other })
  })

  it.each(cancellationReasonSchema.options)('has the reason: %s', (reason) => {
    for (const given of [{ reason }, { reason, refundAfter: 5 }] as const) {
      const asked = { change: 'cancel', by: other, ...given } as const
      expect(readComment(commentOf(asked))).toEqual(asked)
    }
  })

  it('has no reason that is not ours', () => {
    const comment = commentOf({ change: 'cancel', by: other, refundAfter: 5 }).replace(',', ', reason boredom,')
    expect(readComment(comment)).toEqual({ change: 'cancel', by: other, refundAfter: 5 })
  })

  it.each([
    null,
    undefined,
    '',
    'Canceled by user',
    'Canceled by user me',
    `canceled by user ${other}`,
    'Surplus: to be refunded',
  ])('is nobody in %j', (comment) => {
    expect(readComment(comment)).toBeNull()
  })
})
