import { describe, expect, it } from '@jest/globals'
import { frozenRequestSchema, packFrozenRequest } from '../../../lib/adapters/dynamodb/frozenRequest.ts'

const frozen = JSON.stringify({
  items: [{ price: 'price_HN5z3UdeROjnAoTbeT2Afa7i' }],
  payment_behavior: 'allow_incomplete',
  payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
  default_payment_method: 'pm_GdI7DwAZT95u9dEZ9xceBzjD',
  metadata: {
    organization_id: '98f6a0a3-5c28-48b4-afe6-0d0baf338503',
    product: 'monitoring',
    plan_code: 'addon_monitoring',
    n: '1',
    user_id: '0a6f2a3e-5d1c-4b57-9c43-1f2e7d8b9a01',
  },
  expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
})

/** Packed on 2026-11-22: claims outlive releases, and a replay must not differ by a byte. */
const packedThen =
  'ePnADv931dI7CgIxEADQu9gPTDL5lpEVtVGQ2Gw3+QzsFlqJsqf3ACKC2HiG997n2B3sQufWT8f5kq659KyTsJ/+Kc227f1wT2OO9hbbZoyP2tfLPKw+XYpBHCMT2KoDmFAMsHQH2LCwEAWL9LX8KymyE83UwTZVwRTrIVZDoER330KJjOqn7E9eZ65G'

describe('A frozen request', () => {
  it.each([frozen, '{}', '', 'ü€😀', frozen.repeat(20)])('is read as it was packed, to the byte', (text) => {
    expect(frozenRequestSchema.parse(packFrozenRequest(text))).toBe(text)
  })

  it('takes less than a third of its size', () => {
    expect(packFrozenRequest(frozen).byteLength).toBeLessThan(frozen.length / 3)
  })

  it('is read as an earlier release packed it, or stored it as text', () => {
    expect(frozenRequestSchema.parse(Buffer.from(packedThen, 'base64'))).toBe(frozen)
    expect(frozenRequestSchema.parse(frozen)).toBe(frozen)
  })

  // [catch frozenRequest.frozenRequestSchema]
  it('does not parse where one bit of it is another', () => {
    const packed = packFrozenRequest(frozen)
    const damaged = Array.from({ length: packed.byteLength * 8 }, (_, bit) => {
      const copy = Uint8Array.from(packed)
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return copy
    })
    const read = damaged.map((copy) => frozenRequestSchema.safeParse(copy).data)
    // Bits between the last code and the checksum mean nothing.
    expect(new Set(read)).toEqual(new Set([undefined, frozen]))
    expect(read.filter((text) => text !== undefined).length).toBeLessThan(8)
  })
})
