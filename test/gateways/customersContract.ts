import { describe, expect, it } from '@jest/globals'
import { organizationId } from '../billing/fixtures.ts'
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

    it('does not say of one that could not be asked for that it is deleted', async () => {
      const id = await bed.customer('none')
      bed.it.faultNext('not executed')
      expect(await customers().fetchCustomer(id)).toMatchObject({ kind: 'unknown' })
    })
  })
}
