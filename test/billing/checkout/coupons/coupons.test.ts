import { describe, expect, it } from '@jest/globals'
import { billingState } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

/** Total and amount paid of each subscription's latest invoice, by plan code. */
async function invoiced(organizationId: string): Promise<Record<string, number[]>> {
  const subscriptions = await bed.stack.subscriptions(organizationId)
  const entries = subscriptions.map(async ({ metadata, latest_invoice }) => {
    const { total, amount_paid } = await bed.stack.stripe.invoices.retrieve(String(latest_invoice))
    return { [metadata.plan_code ?? '']: [total, amount_paid] }
  })
  return Object.assign({}, ...(await Promise.all(entries)))
}

const states = async (couponId: string) => (await bed.stack.redemptions(couponId)).map(({ state }) => state)

describe('POST /api/billing/checkout', () => {
  describe('Given a coupon that can be redeemed', () => {
    it.each([
      ['in its own case', (code: string) => code],
      ['in small letters', (code: string) => code.toLowerCase()],
      ['in mixed case', (code: string) => `${code.slice(0, 3).toLowerCase()}${code.slice(3)}`],
    ])('applies a promotion code %s, and returns it as it is written', async (_, typed) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: typed(code) })
      expect([answer.status, answer.outcomes]).toEqual([201, ['bought active']])
      expect(answer.lines[0]?.subscription?.coupon_code).toBe(code)
      expect(await invoiced(organizationId)).toEqual({ base_ota: [3675, 3675] })
      expect(await states(id)).toEqual(['APPLIED'])
    })

    it('applies a coupon by its id, in exactly its case', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const id = `plain-${organizationId}`
      await stack.stripe.coupons.create({ id, percent_off: 25, duration: 'once' })
      const shouted = await stack.checkout(organizationId, ['base_ota'], { coupon: id.toUpperCase() })
      expect([shouted.status, shouted.outcomes]).toEqual([400, ['coupon_invalid']])
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: id })
      expect(answer.outcomes).toEqual(['bought active'])
      expect(answer.lines[0]?.subscription?.coupon_code).toBe(id)
      expect(await invoiced(organizationId)).toEqual({ base_ota: [3675, 3675] })
    })

    it.each([
      ['not', undefined, ['coupon_invalid']],
      ['not, also if its codes are archived', 'archived', ['coupon_invalid']],
      ['if its metadata say that it is public', 'public', ['bought active']],
    ])('applies a coupon that has a promotion code by its id %s', async (_, as, outcomes) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon(as === 'public' ? { metadata: { code: 'public' } } : {})
      const { data } = await stack.stripe.promotionCodes.list({ code })
      if (as === 'archived') await stack.stripe.promotionCodes.update(data[0]?.id ?? '', { active: false })
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon: id })).outcomes).toEqual(outcomes)
    })

    it('applies the code for all customers where one customer has a code of the same text', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      const { id: customer } = await stack.stripe.customers.create()
      const theirs = await stack.newCoupon({ percent_off: 90 })
      await stack.stripe.promotionCodes.create({ code, customer, promotion: { type: 'coupon', coupon: theirs.id } })
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([201, ['bought active']])
      expect(await invoiced(organizationId)).toEqual({ base_ota: [3675, 3675] })
      expect([await states(id), await states(theirs.id)]).toEqual([['APPLIED'], []])
    })

    it.each([
      ['a quarter', { percent_off: 25 }, 3675],
      ['a third', { percent_off: 33.33 }, 3267],
      ['ten dollars', { amount_off: 1000, currency: 'usd' }, 3900],
      ['more than it costs', { amount_off: 9900, currency: 'usd' }, 0],
    ])(
      'charges %s less',
      async (_, {
        percent_off,
        ...amount
      }: { percent_off?: number; amount_off?: number; currency?: string }, total) => {
        const { stack } = bed
        const { organizationId } = await stack.organizationWithCard()
        const terms = percent_off === undefined ? amount : { percent_off }
        const id = `terms-${total}-${Object.keys(terms).length}`
        await stack.stripe.coupons.create({ id, duration: 'once', ...terms })
        const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: id })
        expect(answer.outcomes).toEqual(['bought active'])
        expect(await invoiced(organizationId)).toEqual({ base_ota: [total, total] })
        expect(await stack.charges(organizationId)).toBe(total === 0 ? 0 : 1)
      },
    )

    it('buys without a card where nothing is left to pay', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const { code } = await stack.newCoupon({ percent_off: 100 })
      const answer = await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'], { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([201, ['bought active', 'coupon_already_redeemed']])
      expect(answer.lines[0]?.client).toEqual({ action: 'none', client_secret: null })
      expect(await billingState(stack, organizationId)).toEqual({
        slot: 'active',
        subscriptions: ['active'],
        charges: 0,
      })
      expect(await invoiced(organizationId)).toEqual({ base_ota: [0, 0] })
    })

    it('charges a cart without a coupon in full', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      const answer = await stack.checkout(organizationId, ['addon_monitoring'])
      expect(answer.outcomes).toEqual(['bought active'])
      expect(answer.lines[0]?.subscription?.coupon_code).toBeNull()
      expect(await invoiced(organizationId)).toEqual({ base_ota: [3675, 3675], addon_monitoring: [1900, 1900] })
      expect(await states(id)).toEqual(['APPLIED'])
    })
  })
})
