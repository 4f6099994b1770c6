import { describe, expect, it } from '@jest/globals'
import { planLine, planLines } from '../../../lib/billing/checkout/planCart.ts'
import { emptySlot, type HeldState } from '../../../lib/billing/slot/slot.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot } from '../fixtures.ts'

const now = noon * 1000
const LEASE = 45_000
const ota = emptySlot(organizationId, 'ota')
const monitoring = emptySlot(organizationId, 'monitoring')

const answered = (code: string, error: string) => ({ kind: 'answered', line: { ok: false, productCode: code, error } })

describe('planCart', () => {
  it('plans line by line, in the order requested', () => {
    const plans = planLines(['addon_monitoring', 'base_ota'], [ota, monitoring], now, true)
    expect(plans).toEqual([
      { kind: 'claim', code: 'addon_monitoring', slot: monitoring },
      { kind: 'claim', code: 'base_ota', slot: ota },
    ])
  })

  it('answers unknown_plan for what is not sold', () => {
    const plans = planLines(['ota', '', 'BASE_OTA', 'addon_monitoring'], [ota], now, true)
    expect(plans).toMatchObject(
      ['ota', '', 'BASE_OTA', 'addon_monitoring'].map((code) => answered(code, 'unknown_plan')),
    )
  })

  it('plans a product once, and answers already_subscribed to its repeats', () => {
    const plans = planLines(['base_ota', 'base_ota', 'base_ota'], [ota, monitoring], now, true)
    const twice = answered('base_ota', 'already_subscribed')
    expect(plans).toMatchObject([{ kind: 'claim' }, twice, twice])
  })
})

describe('planLine', () => {
  it.each(['none', 'canceled'] as const)('claims a free slot: %s', (state) => {
    const free = slot({ state })
    expect(planLine('base_ota', free, now, true)).toEqual({ kind: 'claim', code: 'base_ota', slot: free })
  })

  it('pays an incomplete purchase', () => {
    const incomplete = liveSlot({ state: 'incomplete' })
    expect(planLine('base_ota', incomplete, now, true)).toEqual({
      kind: 'pay_incomplete',
      code: 'base_ota',
      slot: incomplete,
    })
  })

  it.each<HeldState>(['trialing', 'active', 'past_due', 'unpaid', 'paused'])(
    'answers already_subscribed while the subscription is %s',
    (state) => {
      expect(planLine('base_ota', liveSlot({ state }), now, true)).toMatchObject(
        answered('base_ota', 'already_subscribed'),
      )
    },
  )

  it('answers checkout_in_progress until the lease has ended, and takes the purchase over then', () => {
    const pending = pendingSlot()
    const leased = planLine('base_ota', pending, now + LEASE - 1, true)
    expect(leased).toMatchObject(answered('base_ota', 'checkout_in_progress'))
    expect(planLine('base_ota', pending, now + LEASE, true)).toEqual({
      kind: 'take_over',
      code: 'base_ota',
      slot: pending,
    })
  })

  it('takes over a pending slot without a claim, which the service never writes', () => {
    const { claim: _, ...broken } = pendingSlot()
    expect(planLine('base_ota', broken, now, true)).toEqual({ kind: 'take_over', code: 'base_ota', slot: broken })
  })
})
