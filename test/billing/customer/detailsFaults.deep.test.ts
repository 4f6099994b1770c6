import { describe, expect, it } from '@jest/globals'
import { customerOf } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { detailsOn } from './detailsCalls.ts'

const bed = useCleanStack()

const { patch, taxIdsOf } = detailsOn(bed)

const vat = { type: 'eu_vat', value: 'DE123456789' }

describe('PATCH /api/billing/details', () => {
  describe.each(['drop_before', 'drop_after'] as const)('Given a call to Stripe that is lost (%s)', (kind) => {
    it.each([
      ['POST', '/tax_ids'],
      ['POST', ''],
      ['DELETE', '/tax_ids/*'],
    ])('answers 503 where it is %s %s, and ends the same when sent again', async (method, path) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await patch(organizationId, { tax_id: vat })
      const customer = `/v1/customers/${await customerOf(stack, organizationId)}`
      await stack.emulator.fault({ method, path: customer + path, kind, times: 2 })
      const body = { name: 'Example GmbH', tax_id: { type: 'gb_vat', value: 'GB123456789' } }
      expect(await patch(organizationId, body)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
      expect(await patch(organizationId, body)).toMatchObject({ status: 200, body })
      expect(await taxIdsOf(stack, organizationId)).toEqual(['GB123456789'])
    })
  })
})
