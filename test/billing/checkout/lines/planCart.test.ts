import { describe, expect, it } from '@jest/globals'
import { planCart, planLine, planLines } from '../../../../lib/billing/checkout/planCart.ts'
import { redeemerOf } from '../../../../lib/billing/slot/redeemer.ts'
import { emptySlot, type HeldState, leaseReleased } from '../../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, caller, liveSlot, noon, organizationId, pendingSlot, slot } from '../../fixtures.ts'

const now = noon * 1000
const LEASE = 45_000
const ota = emptySlot(organizationId, 'ota')
const monitoring = emptySlot(organizationId, 'monitoring')

const answered = (code: string, error: string) => ({ kind: 'answered', line: { ok: false, productCode: code, error } })

describe('planCart', () => {
  it('plans line by line, in the order requested', () => {
    const plans = planLines(['addon_monitoring', 'base_ota'], [ota, monitoring], now)
    expect(plans).toEqual([
      { kind: 'claim', code: 'addon_monitoring', slot: monitoring },
      { kind: 'claim', code: 'base_ota', slot: ota },
    ])
  })

  it('answers unknown_plan for what is not sold', () => {
    const plans = planLines(['ota', '', 'BASE_OTA', 'addon_monitoring'], [ota], now)
    expect(plans).toMatchObject(
      ['ota', '', 'BASE_OTA', 'addon_monitoring'].map((code) => answered(code, 'unknown_plan')),
    )
  })

  it('plans a product once, and answers already_subscribed to its repeats', () => {
    const plans = planLines(['base_ota', 'base_ota', 'base_ota'], [ota, monitoring], now)
    const twice = answered('base_ota', 'already_subscribed')
    expect(plans).toMatchObject([{ kind: 'claim' }, twice, twice])
  })
})

describe('Given a card that is being removed', () => {
  const deps = fakeBilling({})
  const codes = ['base_ota', 'addon_monitoring', 'addon_crash_reporting', 'nope']
  const request = { organizationId, caller, productCodes: codes, paymentMethodId: 'pm_1', couponCode: undefined }
  const crashed = leaseReleased(pendingSlot({ product: 'monitoring' }))
  const slots = [ota, crashed, liveSlot({ product: 'crash_reporting' })]
  const planAt = (until: number) => {
    const redeemer = redeemerOf(caller, undefined)
    const read = { deps, gateway: deps.gateways.card, slots, redeemer, startedAt: now }
    return planCart({ ...read, account: { ...account, cardFence: { owner: 'one', until } } }, request)
  }

  it('sends nothing until the removal has ended, and answers the other lines', () => {
    const unavailable = (code: string) => answered(code, 'gateway_unavailable')
    expect(planAt(now + 1)).toMatchObject([
      unavailable('base_ota'),
      unavailable('addon_monitoring'),
      answered('addon_crash_reporting', 'already_subscribed'),
      answered('nope', 'unknown_plan'),
    ])
    expect(planAt(now)).toMatchObject([{ kind: 'claim' }, { kind: 'take_over' }, {}, {}])
  })
})

describe('planLine', () => {
  it.each(['none', 'canceled'] as const)('claims a free slot: %s', (state) => {
    const free = slot({ state })
    expect(planLine('base_ota', free, now)).toEqual({ kind: 'claim', code: 'base_ota', slot: free })
  })

  it('pays an incomplete purchase', () => {
    const incomplete = liveSlot({ state: 'incomplete' })
    expect(planLine('base_ota', incomplete, now)).toEqual({
      kind: 'pay_incomplete',
      code: 'base_ota',
      slot: incomplete,
    })
  })

  it.each<HeldState>(['trialing', 'active', 'past_due', 'unpaid', 'paused'])(
    'answers already_subscribed while the subscription is %s',
    (state) => {
      expect(planLine('base_ota', liveSlot({ state }), now)).toMatchObject(answered('base_ota', 'already_subscribed'))
    },
  )

  it('answers checkout_in_progress until the lease has ended, and takes the purchase over then', () => {
    const pending = pendingSlot()
    const leased = planLine('base_ota', pending, now + LEASE - 1)
    expect(leased).toMatchObject(answered('base_ota', 'checkout_in_progress'))
    expect(planLine('base_ota', pending, now + LEASE)).toEqual({
      kind: 'take_over',
      code: 'base_ota',
      slot: pending,
    })
  })

  it('takes over a pending slot without a claim, which the service never writes', () => {
    const { claim: _, ...broken } = pendingSlot()
    expect(planLine('base_ota', broken, now)).toEqual({ kind: 'take_over', code: 'base_ota', slot: broken })
  })
})
