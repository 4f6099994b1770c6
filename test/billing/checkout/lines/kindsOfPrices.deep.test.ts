import { describe, expect, it } from '@jest/globals'
import { billingState, bought } from '../../billingState.ts'
import { subscriptionOf } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { useOtherPrices } from './useOtherPrices.ts'

const day = 86_400

describe('A product', () => {
  const bed = useCleanStack()
  const { replace, letListsExpire } = useOtherPrices(bed)

  /** Sells `base_ota` on other terms from now on. */
  async function sellFor(terms: Parameters<typeof replace>[1]) {
    await replace('base_ota', terms)
    await letListsExpire()
  }

  /** The price of `base_ota` in the list of products. */
  async function listed(organizationId: string): Promise<object | undefined> {
    const { body } = await bed.stack.get('products', organizationId)
    const { products } = body as { products: { product: string; price: object }[] }
    return products.find(({ product }) => product === 'ota')?.price
  }

  describe.each([
    ['year', 1, 365],
    ['week', 2, 14],
    ['week', 1, 7],
    ['day', 1, 1],
  ] as const)('at a price for each %s, times %i', (interval, interval_count, days) => {
    it('is listed, previewed, sold and renewed as it is', async () => {
      const { stack } = bed
      const recurring = { interval, interval_count }
      await sellFor({ unit_amount: 777, recurring })
      const { organizationId } = await stack.organizationWithCard()
      expect(await listed(organizationId)).toEqual({ amount: 777, currency: 'usd', ...recurring })
      const cart = { product_codes: ['base_ota'] }
      const { body } = await stack.post('/api/billing/checkout/preview', organizationId, cart)
      expect(body).toMatchObject({ lines: [{ ok: true, amount: 777 }], subtotal: 777, total: 777 })
      const held = { ...cart, expected_subtotal: 777, currency: 'usd' }
      const answer = await stack.post('/api/billing/checkout', organizationId, held)
      const periodEnd = (await stack.emulator.now()) + days * day
      const [line] = answer.body as { subscription: { current_period_end: string } }[]
      const ends = Date.parse(line?.subscription.current_period_end ?? '') / 1000
      expect([answer.status, Math.abs(ends - periodEnd) < 60]).toEqual([201, true])

      await stack.emulator.advance(days * day + 2 * 3600)
      await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual({ ...bought, charges: 2 })
      const invoices = await stack.stripe.invoices.list({
        subscription: (await subscriptionOf(stack, organizationId)).id,
      })
      expect(invoices.data.map(({ amount_paid }) => amount_paid)).toEqual([777, 777])
      const { body: read } = await stack.get('subscriptions', organizationId)
      const { subscriptions } = read as { subscriptions: { product: string; current_period_end: string }[] }
      const now = subscriptions.find(({ product }) => product === 'ota')?.current_period_end ?? ''
      // A second year may be a leap year.
      expect([days, days + 1]).toContain(Math.round((Date.parse(now) / 1000 - ends) / day))
    })
  })

  it('at a free price needs no card, now or when it renews, and asks for a card beside it', async () => {
    const { stack } = bed
    await sellFor({ unit_amount: 0 })
    const organizationId = await stack.client.newOrganization()
    expect(await listed(organizationId)).toMatchObject({ amount: 0 })
    const cart = { product_codes: ['addon_monitoring', 'base_ota'] }
    const answer = await stack.post('/api/billing/checkout', organizationId, cart)
    expect(answer).toMatchObject({
      status: 201,
      body: [{ error: 'payment_method_required' }, { ok: true, client: { action: 'none' } }],
    })
    await stack.emulator.advance(32 * day)
    await stack.emulator.flush()
    expect(await billingState(stack, organizationId)).toEqual({ ...bought, charges: 0 })
  })
})
