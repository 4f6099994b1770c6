import { describe, expect, it } from '@jest/globals'
import { products } from '../../lib/billing/catalog.ts'
import { checkout } from '../../lib/billing/checkout.ts'
import { emptySlot } from '../../lib/billing/slot.ts'
import { BUDGET } from '../../lib/billing/timing.ts'
import { fakeBilling } from './fakeBilling.ts'
import { noon, organizationId, userId } from './fixtures.ts'

describe('Checkout that runs out of time', () => {
  it('claims and sends nothing more, and says that the cart is safe to send again', async () => {
    let now = noon * 1000
    const account = { organizationId, createdAt: '2026-01-01T00:00:00Z', customerRev: 0 }
    const deps = {
      ...fakeBilling({
        records: {
          read: async () => ({
            role: 'owner' as const,
            account,
            slots: products.map((product) => emptySlot(organizationId, product)),
          }),
        },
        gateway: {
          prices: async () => {
            now += BUDGET - 7000
            return { kind: 'ok', value: new Map(), replayed: false }
          },
        },
      }),
      clock: { now: () => now, sync: async () => {} },
    }
    const request = { organizationId, userId, paymentMethodId: undefined, couponCode: undefined }
    const lines = await checkout(deps, { ...request, productCodes: ['base_ota', 'nothing', 'addon_remote_ssh'] })
    expect(lines.map((line) => (line.ok ? 'bought' : line.error))).toEqual([
      'gateway_unavailable',
      'unknown_plan',
      'gateway_unavailable',
    ])
  })
})
