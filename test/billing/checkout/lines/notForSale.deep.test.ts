import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'
import { billingState, bought, neverClaimed } from '../../billingState.ts'
import { whileArchived } from '../../listPrices.ts'
import { refusedLine } from './lineRefusals.ts'

describe('Checkout of a product that is not for sale', () => {
  const bed = useBillingStack()

  const refused = refusedLine('not_for_sale', 'This product is not for sale at the moment')

  it('is 404, and sells the other lines of the cart', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await whileArchived(stack, 'base_ota', async () => {
      const alone = await stack.checkout(organizationId, ['base_ota'])
      expect([alone.status, alone.body]).toEqual([404, [refused]])
      expect((await stack.checkout(organizationId, ['base_ota', 'no_such_plan'])).status).toBe(404)
      const both = await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'])
      expect([both.status, both.outcomes]).toEqual([201, ['not_for_sale', 'bought active']])
      expect(await billingState(stack, organizationId)).toEqual({ ...neverClaimed, charges: 1 })
    })
    expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
    expect(await billingState(stack, organizationId)).toEqual({ ...bought, charges: 2 })
  })

  it('is 404 as well if the price was archived since the list was read', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['addon_monitoring'])
    await whileArchived(stack, 'base_ota', async () => {
      const answer = await stack.checkout(organizationId, ['base_ota'])
      expect([answer.status, answer.body]).toEqual([404, [refused]])
    })
  })

  it('is said by the preview', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const cart = { product_codes: ['base_ota', 'addon_monitoring'] }
    const { status, body } = await whileArchived(stack, 'base_ota', () =>
      stack.post('/api/billing/checkout/preview', organizationId, cart),
    )
    expect([status, body]).toMatchObject([200, { lines: [refused, { ok: true, product_code: 'addon_monitoring' }] }])
  })
})
