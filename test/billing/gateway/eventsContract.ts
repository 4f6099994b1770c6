import { describe, expect, it } from '@jest/globals'
import { noon, purchase, userId } from '../fixtures.ts'
import { type GatewayUnderTest, useGateway } from './gatewayUnderTest.ts'

const TOLERANCE = 300

/** What every `Events` must do for the projection to hold. */
export function describeEvents(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const events = () => bed.it.verifier(['current', 'previous'])
  const verify = (payload: Uint8Array, secret: string, at = noon) =>
    events().verify(payload, bed.it.sign(payload, secret, at))

  describe('Events', () => {
    it('names the subscription, its customer and its purchase, and when it happened', async () => {
      const customerId = await bed.customer()
      const sold = await bed.buy(customerId)
      expect(verify(bed.it.latestEvent(), 'current')).toMatchObject({
        kind: 'subscription',
        subscriptionId: sold.id,
        customerId,
        purchase,
        created: noon,
      })
      await bed.it.gateway.purchases.cancelNow(sold.id, { kind: 'asked', by: userId })
      const end = { type: 'customer.subscription.deleted', subscriptionId: sold.id }
      expect(verify(bed.it.latestEvent(), 'current')).toMatchObject(end)
    })

    it('names a customer that is gone', async () => {
      const customerId = await bed.customer()
      await bed.buy(customerId)
      bed.it.deleteCustomer(customerId)
      expect(verify(bed.it.latestEvent(), 'current')).toMatchObject({ kind: 'customer_deleted', customerId })
    })

    it('are accepted with any current secret, and with no other', async () => {
      await bed.buy(await bed.customer())
      const payload = bed.it.latestEvent()
      expect(verify(payload, 'current')).not.toBeNull()
      expect(verify(payload, 'previous')).not.toBeNull()
      expect(verify(payload, 'older')).toBeNull()
      expect(events().verify(payload, undefined)).toBeNull()
      expect(events().verify(payload, '')).toBeNull()
    })

    it('are accepted signed at most 300 s ago or ahead', async () => {
      await bed.buy(await bed.customer())
      const payload = bed.it.latestEvent()
      for (const at of [noon - TOLERANCE, noon + TOLERANCE]) expect(verify(payload, 'current', at)).not.toBeNull()
      for (const at of [noon - TOLERANCE - 1, noon + TOLERANCE + 1]) expect(verify(payload, 'current', at)).toBeNull()
    })

    it('are refused with a byte of them changed, or signed as another time’s', async () => {
      await bed.buy(await bed.customer())
      const payload = bed.it.latestEvent()
      const signature = bed.it.sign(payload, 'current', noon)
      const changed = Uint8Array.from(payload)
      changed[20] = (changed[20] ?? 0) ^ 1
      expect(events().verify(changed, signature)).toBeNull()
      expect(events().verify(payload, signature.replace(String(noon), String(noon + 1)))).toBeNull()
      expect(events().verify(Buffer.from('no event'), bed.it.sign(Buffer.from('no event'), 'older', noon))).toBeNull()
    })
  })
}
