import { describe, expect, it } from '@jest/globals'
import { organizationId } from '../fixtures.ts'
import { answered, type GatewayUnderTest, useGateway } from './gatewayUnderTest.ts'

/** What every `Customers` must do for the purchase protocol to hold. */
export function describeCustomers(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const customers = () => bed.it.gateway.customers

  describe('Customers', () => {
    it('creates one for a key, however often it is sent, and another for another key', async () => {
      const first = await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:1')
      const again = await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:1')
      const other = await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:2')
      expect([first, again]).toMatchObject([{ replayed: false }, { replayed: true }])
      expect(answered(again)).toBe(answered(first))
      expect(answered(other)).not.toBe(answered(first))
    })

    it('has created it where the answer was lost: the same key finds it', async () => {
      bed.it.faultNext('answer lost')
      expect(await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:1')).toMatchObject({
        kind: 'unknown',
      })
      const found = await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:1')
      expect(found).toMatchObject({ kind: 'ok', replayed: true })
    })

    it('shows whether one was deleted, and refuses one that it does not see', async () => {
      const id = await bed.customer('none')
      expect(await customers().fetchCustomer(id)).toMatchObject({ kind: 'ok', value: { deleted: false } })
      bed.it.deleteCustomer(id)
      expect(await customers().fetchCustomer(id)).toMatchObject({ kind: 'ok', value: { deleted: true } })
      expect(await customers().fetchCustomer('unknown')).toMatchObject({ kind: 'refused' })
    })

    it('keeps what a customer was created with, and changes what is named and nothing else', async () => {
      const request = { name: 'Acme', email: 'billing@acme.example' }
      const id = answered(await customers().createCustomer(organizationId, request, 'cus:1'))
      const limits = { answerBy: bed.it.clock.now() + 10_000 }
      expect(answered(await customers().fetchDetails(id, limits))).toMatchObject({
        ...request,
        address: null,
        taxId: null,
      })
      const details = { ...request, name: 'Acme Ltd', address: null, taxId: null }
      expect(answered(await customers().changeDetails(id, { name: 'Acme Ltd' }, limits))).toMatchObject({ details })
      expect(answered(await customers().fetchDetails(id, limits))).toMatchObject(details)
    })

    it('changes nothing where it refuses a part, and says which', async () => {
      const id = answered(await customers().createCustomer(organizationId, { name: 'Acme' }, 'cus:1'))
      const limits = { answerBy: bed.it.clock.now() + 10_000 }
      const change = { name: 'Other', taxId: { type: 'eu_vat' as const, value: 'x' } }
      const refused = await customers().changeDetails(id, change, limits)
      expect(answered(refused)).toEqual({ kind: 'refused_at', field: 'tax_id.value' })
      expect(answered(await customers().fetchDetails(id, limits))).toMatchObject({ name: 'Acme', taxId: null })
    })

    it('does not say of one that could not be asked for that it is deleted', async () => {
      const id = await bed.customer('none')
      bed.it.faultNext('not executed')
      expect(await customers().fetchCustomer(id)).toMatchObject({ kind: 'unknown' })
    })
  })
}
