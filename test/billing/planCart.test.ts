import { describe, expect, it } from '@jest/globals'
import { planCart, planLine } from '../../lib/billing/cartLine.ts'
import { emptySlot, type HeldState } from '../../lib/billing/slot.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot } from './fixtures.ts'

const now = noon * 1000
const LEASE = 45_000
const ota = emptySlot(organizationId, 'ota')
const monitoring = emptySlot(organizationId, 'monitoring')

const answered = (code: string, error: string) => ({ kind: 'answered', line: { ok: false, productCode: code, error } })

describe('A cart', () => {
  it('is read line by line, in the order requested', () => {
    const steps = planCart(['addon_monitoring', 'base_ota'], [ota, monitoring], now)
    expect(steps).toEqual([
      { kind: 'claim', slot: monitoring },
      { kind: 'claim', slot: ota },
    ])
  })

  it('has no line for what is not sold', () => {
    const steps = planCart(['ota', '', 'BASE_OTA', 'addon_monitoring'], [ota], now)
    expect(steps).toMatchObject(
      ['ota', '', 'BASE_OTA', 'addon_monitoring'].map((code) => answered(code, 'unknown_plan')),
    )
  })

  it('sells a product once, however often it is asked for', () => {
    const steps = planCart(['base_ota', 'base_ota', 'base_ota'], [ota, monitoring], now)
    const twice = answered('base_ota', 'already_subscribed')
    expect(steps).toMatchObject([{ kind: 'claim' }, twice, twice])
  })
})

describe('A slot', () => {
  it.each(['none', 'canceled'] as const)('is claimed when it is free: %s', (state) => {
    const free = slot({ state })
    expect(planLine('base_ota', free, now)).toEqual({ kind: 'claim', slot: free })
  })

  it('is resumed while its buyer has not paid', () => {
    const incomplete = liveSlot({ state: 'incomplete' })
    expect(planLine('base_ota', incomplete, now)).toEqual({ kind: 'resume', slot: incomplete })
  })

  it.each<HeldState>(['trialing', 'active', 'past_due', 'unpaid', 'paused'])('is subscribed while %s', (state) => {
    expect(planLine('base_ota', liveSlot({ state }), now)).toMatchObject(answered('base_ota', 'already_subscribed'))
  })

  it('is left to its purchase until the lease has ended, and taken over then', () => {
    const pending = pendingSlot()
    const leased = planLine('base_ota', pending, now + LEASE - 1)
    expect(leased).toMatchObject(answered('base_ota', 'checkout_in_progress'))
    expect(planLine('base_ota', pending, now + LEASE)).toEqual({ kind: 'take_over', slot: pending })
  })

  it('is taken over where nobody claims it, which nobody writes', () => {
    const { claim: _, ...broken } = pendingSlot()
    expect(planLine('base_ota', broken, now)).toEqual({ kind: 'take_over', slot: broken })
  })
})
