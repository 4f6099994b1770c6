import { describe, expect, it } from '@jest/globals'
import { organizationId } from '../billing/fixtures.ts'
import { answered, type Bank, type GatewayUnderTest, useGateway } from './gatewayUnderTest.ts'

/** What every gateway that takes cards must do for the purchase protocol to hold. */
export function describeCards(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const cards = () => {
    const port = bed.it.gateway.cards
    if (!port) throw new Error('This gateway takes no cards')
    return port
  }
  const addCard = async (customerId: string, bank: Bank = 'pays') =>
    (await bed.it.addCard?.(customerId, bank)) ?? 'no card'

  describe('Cards', () => {
    it('gives a new secret to set up a card each time', async () => {
      const id = await bed.customer('none')
      const secrets = [
        answered(await cards().createSetupIntent(id, organizationId)),
        answered(await cards().createSetupIntent(id, organizationId)),
      ]
      expect(secrets).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
      expect(secrets[0]).not.toBe(secrets[1])
    })

    it('refuses a customer that is gone as customer_missing', async () => {
      const id = await bed.customer('none')
      bed.it.deleteCustomer(id)
      expect(await cards().createSetupIntent(id, organizationId)).toMatchObject({
        kind: 'refused',
        reason: 'customer_missing',
      })
    })

    it('makes a card the default where the customer has none, and only there', async () => {
      const id = await bed.customer('none')
      const [first, second] = [await addCard(id), await addCard(id)]
      expect(bed.it.defaultCardOf(id)).toBeNull()
      expect(await cards().setFirstDefaultCard(id, first)).toMatchObject({ kind: 'ok' })
      expect(await cards().setFirstDefaultCard(id, second)).toMatchObject({ kind: 'ok' })
      expect(bed.it.defaultCardOf(id)).toBe(first)
    })

    it('has nothing to do for a deleted customer, and refuses one that it does not see', async () => {
      const id = await bed.customer('none')
      const card = await addCard(id)
      bed.it.deleteCustomer(id)
      expect(await cards().setFirstDefaultCard(id, card)).toMatchObject({ kind: 'ok' })
      expect(await cards().setFirstDefaultCard('unknown', card)).toMatchObject({ kind: 'refused' })
    })
  })
}
