import { describe, expect, it } from '@jest/globals'
import { products } from '../../lib/billing/catalog.ts'
import { checkout } from '../../lib/billing/checkout/checkout.ts'
import { createSetupIntent } from '../../lib/billing/customer/setupIntent.ts'
import { emptySlot } from '../../lib/billing/slot/slot.ts'
import { CommonError } from '../../lib/core/errors.ts'
import { fakeBilling } from './fakeBilling.ts'
import { caller, declined, liveSlot, ok, account as organization, organizationId } from './fixtures.ts'

const account = { ...organization, customer: { cipher: 'cipher', digest: 'digest' } }

async function storeUnavailable(): Promise<never> {
  throw new CommonError('service_unavailable')
}

const refusedCustomer = async () => ({ kind: 'refused', reason: 'customer_missing' }) as const

describe('checkout', () => {
  // [catch submitPurchase.payIncomplete]
  it('pays nothing for an incomplete purchase, and answers gateway_unavailable, where the store is unavailable after the first read', async () => {
    const incomplete = liveSlot({ state: 'incomplete' })
    const slots = products.map((product) => (product === 'ota' ? incomplete : emptySlot(organizationId, product)))
    const deps = fakeBilling({
      records: { read: async () => ({ role: 'owner', account, slots }), commit: storeUnavailable },
      gateway: {
        prices: async () => ok(new Map()),
        fetchSubscription: async () => ok(declined()),
      },
    })
    const request = { organizationId, caller, paymentMethodId: 'pm_1', couponCode: undefined }
    expect(await checkout(deps, { ...request, productCodes: ['base_ota'] })).toMatchObject([
      { ok: false, error: 'gateway_unavailable' },
    ])
  })
})

describe('createSetupIntent', () => {
  // [catch customer.forgetDeletedCustomer]
  it('throws gateway_refused for a missing customer, also where the store is unavailable when it is unbound', async () => {
    const deps = {
      ...fakeBilling({
        records: { read: async () => ({ role: 'owner', account, slots: [] }), unbindCustomer: storeUnavailable },
        gateway: { createSetupIntent: refusedCustomer, fetchCustomer: async () => ok({ deleted: true }) },
      }),
      cipher: { encrypt: storeUnavailable, decrypt: async () => 'cus_1' },
    }
    await expect(createSetupIntent(deps, { organizationId, caller })).rejects.toMatchObject({ code: 'gateway_refused' })
  })
})
