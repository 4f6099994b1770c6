import { describe, expect, it } from '@jest/globals'
import { products } from '../../lib/billing/catalog.ts'
import { checkout } from '../../lib/billing/checkout.ts'
import { createSetupIntent } from '../../lib/billing/setupIntent.ts'
import { emptySlot } from '../../lib/billing/slot.ts'
import { CommonError } from '../../lib/core/errors.ts'
import { fakeBilling } from './fakeBilling.ts'
import { liveSlot, organizationId, subscription, userId } from './fixtures.ts'

const account = {
  organizationId,
  createdAt: '2026-01-01T00:00:00Z',
  customerRev: 0,
  customer: { cipher: 'cipher', digest: 'digest' },
}

async function away(): Promise<never> {
  throw new CommonError('service_unavailable')
}

const refusedCustomer = async () => ({ kind: 'refused', reason: 'customer_missing' }) as const

describe('A store that is away after the first read', () => {
  it('leaves an incomplete purchase as it is: nothing is paid, and the cart is safe to send again', async () => {
    const declined = subscription({
      status: 'incomplete',
      invoicePaid: false,
      firstPayment: { kind: 'declined', declineCode: null },
    })
    const incomplete = liveSlot({ state: 'incomplete' })
    const slots = products.map((product) => (product === 'ota' ? incomplete : emptySlot(organizationId, product)))
    const deps = fakeBilling({
      records: { read: async () => ({ role: 'owner', account, slots }), commit: away },
      gateway: {
        prices: async () => ({ kind: 'ok', value: new Map(), replayed: false }),
        fetchSubscription: async () => ({ kind: 'ok', value: declined, replayed: false }),
      },
    })
    const request = { organizationId, userId, paymentMethodId: 'pm_1', couponCode: undefined }
    expect(await checkout(deps, { ...request, productCodes: ['base_ota'] })).toMatchObject([
      { ok: false, error: 'gateway_unavailable' },
    ])
  })

  it('does not turn the gateway’s refusal of a missing customer into something else', async () => {
    const deps = {
      ...fakeBilling({
        records: { read: async () => ({ role: 'owner', account, slots: [] }), unbindCustomer: away },
        gateway: { createSetupIntent: refusedCustomer },
      }),
      cipher: { encrypt: away, decrypt: async () => 'cus_1' },
    }
    await expect(createSetupIntent(deps, { organizationId, userId })).rejects.toMatchObject({ code: 'gateway_refused' })
  })
})
