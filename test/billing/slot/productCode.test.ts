import { describe, expect, it } from '@jest/globals'
import { productCode } from '../../../lib/billing/slot/slot.ts'
import { organizationId, slot } from '../fixtures.ts'

describe('productCode', () => {
  it('is the plan code and the organization, in this order', () => {
    expect(productCode(slot())).toBe(`base_ota:${organizationId}`)
    expect(productCode(slot({ product: 'remote_ssh' }))).toBe(`addon_remote_ssh:${organizationId}`)
  })
})
