import { describe, expect, it } from '@jest/globals'
import { planCodes } from '../../../lib/billing/catalog.ts'
import { MINUTE } from '../../../lib/billing/timing.ts'
import { answered, type GatewayUnderTest, useGateway } from './gatewayUnderTest.ts'

/** What every `Catalog` must do for the purchase protocol to hold. */
export function describeCatalog(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const catalog = () => bed.it.gateway.catalog
  const invalid = { kind: 'refused', reason: 'coupon_invalid' }

  describe('Catalog', () => {
    it('has a price of its own for each plan', async () => {
      const prices = answered(await catalog().prices())
      expect([...prices.keys()].sort()).toEqual(Object.values(planCodes).sort())
      expect(new Set([...prices.values()].map(({ id }) => id)).size).toBe(4)
      expect(new Set([...prices.values()].map(({ gatewayProductId }) => gatewayProductId)).size).toBe(4)
    })

    it('has a changed price at once where it is asked anew, and after five minutes in any case', async () => {
      const priceOfOta = async (options?: { fresh: boolean }) =>
        answered(await catalog().prices(options)).get(planCodes.ota)?.id
      const first = await priceOfOta()
      bed.it.changePrice(planCodes.ota)
      bed.it.pass(5 * MINUTE)
      const second = await priceOfOta()
      expect(second).not.toBe(first)
      bed.it.changePrice(planCodes.ota)
      expect(await priceOfOta({ fresh: true })).not.toBe(second)
    })

    it('finds a promotion code in any case, and a coupon by its id', async () => {
      const half = { id: 'half', code: 'HALF', promotionCodeId: expect.any(String), mayCoverAll: false }
      expect(await catalog().findCoupon('HALF')).toMatchObject({ kind: 'ok', value: half })
      expect(await catalog().findCoupon('Half')).toMatchObject({ kind: 'ok', value: half })
      expect(await catalog().findCoupon('free')).toMatchObject({
        kind: 'ok',
        value: { id: 'free', code: 'free', promotionCodeId: null, gatewayProductIds: null, mayCoverAll: true },
      })
    })

    it('says which of its own products a coupon is limited to', async () => {
      const { gatewayProductIds } = await bed.coupon('only_monitoring')
      const prices = answered(await catalog().prices())
      expect(gatewayProductIds).toEqual([prices.get(planCodes.monitoring)?.gatewayProductId])
    })

    it('refuses a code that is unknown or withdrawn as coupon_invalid, and a coupon’s id in another case', async () => {
      expect(await catalog().findCoupon('unknown')).toEqual(invalid)
      expect(await catalog().findCoupon('FREE')).toEqual(invalid)
      bed.it.withdrawCoupon('free')
      expect(await catalog().findCoupon('free')).toEqual(invalid)
    })

    it('refuses nothing where it could not be asked: that is unknown', async () => {
      bed.it.faultNext('not executed')
      expect(await catalog().findCoupon('HALF')).toMatchObject({ kind: 'unknown' })
      bed.it.faultNext('not executed')
      expect(await catalog().prices({ fresh: true })).toMatchObject({ kind: 'unknown' })
    })
  })
}
