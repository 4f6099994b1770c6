import { describe, expect, it } from '@jest/globals'
import { products } from '../../../../lib/billing/catalog.ts'
import { checkout } from '../../../../lib/billing/checkout/checkout.ts'
import { emptySlot } from '../../../../lib/billing/slot/slot.ts'
import { BUDGET } from '../../../../lib/billing/timing.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { account, caller, noon, ok, organizationId } from '../../fixtures.ts'

describe('checkout', () => {
  it('claims and sends nothing once its time is used up, and answers gateway_unavailable to each line on sale', async () => {
    let now = noon * 1000
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
            return ok(new Map())
          },
        },
      }),
      clock: { now: () => now, sync: async () => {} },
    }
    const request = { organizationId, caller, paymentMethodId: 'pm_1', couponCode: undefined }
    const lines = await checkout(deps, { ...request, productCodes: ['base_ota', 'nothing', 'addon_remote_ssh'] })
    expect(lines.map((line) => (line.ok ? 'bought' : line.error))).toEqual([
      'gateway_unavailable',
      'unknown_plan',
      'gateway_unavailable',
    ])
  })
})
