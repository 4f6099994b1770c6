import { describe, expect, it } from '@jest/globals'
import type { changedOrEnded } from '../../../../lib/billing/gateway/gatewayFailure.ts'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import { projected } from '../../../../lib/billing/slot/slotChange.ts'
import { resume } from '../../../../lib/billing/subscriptions/resume.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { liveSlot, noon, ok, pendingSlot, slot, subscription, unknown } from '../../fixtures.ts'
import { changeStored } from '../cancel/changeStored.ts'

const notFound = { kind: 'refused', reason: 'not_found' } as const
const refused = { kind: 'refused', reason: 'other' } as const
const resumed = subscription({ coveredUntil: noon + 9 })
const ended = subscription({ status: 'canceled', endedAt: noon + 9, coveredUntil: noon + 9 })
const scheduled = projected(liveSlot(), subscription({ cancelAt: noon + 86_400 }))

type Answer = Parameters<typeof changedOrEnded>[2]

/** Resumes what this slot holds; `overtakenBy` is written before our write. */
async function resumeGiven(
  stored: Slot,
  {
    answer = ok(resumed),
    latest = unknown,
    overtakenBy,
  }: { answer?: Answer; latest?: Answer; overtakenBy?: Slot } = {},
) {
  const { records, answering, outcomeOf } = changeStored(stored, [overtakenBy])
  const gateway = { resumeSubscription: answering('resume', answer), fetchSubscription: answering('fetch', latest) }
  return outcomeOf((request) => resume(fakeBilling({ records, gateway }), request))
}

describe('resume', () => {
  describe('Given a scheduled cancellation', () => {
    it('takes it back at the gateway first, and records that', async () => {
      const { result, calls, slot: left } = await resumeGiven(scheduled)
      expect(calls).toEqual(['resume sub_1'])
      expect(left).toMatchObject({ state: 'active', subscription: { cancelAt: null } })
      expect(result).toEqual(left)
    })

    it.each([
      ['unknown', unknown, unknown, 'gateway_unavailable'],
      ['refused', refused, unknown, 'gateway_refused'],
      ['not found, and the subscription is not fetched', notFound, unknown, 'gateway_unavailable'],
      ['not found, and the subscription is live', notFound, ok(subscription()), 'gateway_refused'],
      ['not found twice', notFound, notFound, 'gateway_refused'],
    ] as const)('throws and records nothing where the answer is %s', async (_, answer, latest, code) => {
      const outcome = await resumeGiven(scheduled, { answer, latest })
      expect(outcome).toMatchObject({ result: { code }, tries: 0 })
    })

    it('records the end of one that has ended at the gateway, and throws subscription_ended', async () => {
      const outcome = await resumeGiven(scheduled, { answer: notFound, latest: ok(ended) })
      expect(outcome).toMatchObject({ result: { code: 'subscription_ended' }, slot: { state: 'canceled' } })
    })

    it('fetches and writes again where another writer was faster, for its own answer may be the older one', async () => {
      const canceledAgain = subscription({ cancelAt: noon + 60, coveredUntil: noon + 9 })
      const overtakenBy = projected(scheduled, canceledAgain)
      const { calls, slot: left, result } = await resumeGiven(scheduled, { latest: ok(canceledAgain), overtakenBy })
      expect(calls).toEqual(['resume sub_1', 'fetch sub_1'])
      expect(left).toMatchObject({ rev: overtakenBy.rev + 1, subscription: { cancelAt: noon + 60 } })
      expect(result).toEqual(left)
    })

    it.each([
      ['ended', projected(scheduled, ended)],
      ['was replaced by another subscription', projected(scheduled, subscription({ id: 'sub_2' }))],
      ['is bought anew', pendingSlot({ rev: scheduled.rev + 1 })],
    ])('throws subscription_ended where its slot %s meanwhile, and leaves that', async (_, overtakenBy) => {
      const outcome = await resumeGiven(scheduled, { overtakenBy })
      expect(outcome).toMatchObject({ result: { code: 'subscription_ended' }, calls: ['resume sub_1'] })
      expect(outcome.slot).toEqual(overtakenBy)
    })
  })

  it('answers the same where no cancellation is scheduled', async () => {
    const { result, calls } = await resumeGiven(liveSlot())
    expect(calls).toEqual(['resume sub_1'])
    expect(result).toMatchObject({ state: 'active', subscription: { cancelAt: null } })
  })

  it('returns an incomplete one as it is: its cancellation is never scheduled', async () => {
    const incomplete = projected(liveSlot(), subscription({ status: 'incomplete' }))
    expect(await resumeGiven(incomplete)).toMatchObject({ result: incomplete, calls: [], tries: 0 })
  })

  it.each([
    ['subscription_ended', 'an ended one', projected(liveSlot(), ended)],
    ['not_subscribed', 'a product never bought', slot({ state: 'none' })],
    ['checkout_in_progress', 'a purchase under way', pendingSlot()],
  ])('throws %s for %s, and does not call the gateway', async (code, _, stored) => {
    expect(await resumeGiven(stored)).toMatchObject({ result: { code }, calls: [], tries: 0 })
  })
})
