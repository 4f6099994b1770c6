import { describe, expect, it } from '@jest/globals'
import { billingState, bought, neverClaimed, nothingBought } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { useOtherPrices } from './useOtherPrices.ts'

describe('A price list in more than one currency', () => {
  const bed = useCleanStack()
  const { replace, letListsExpire } = useOtherPrices(bed)

  /** Sells plans in euros from now on. */
  async function sellInEuros(prices: Record<string, number>) {
    for (const [planCode, unit_amount] of Object.entries(prices))
      await replace(planCode, { unit_amount, currency: 'eur' })
    await letListsExpire()
  }

  async function preview(organizationId: string, codes: readonly string[]) {
    const { body } = await bed.stack.post('/api/billing/checkout/preview', organizationId, { product_codes: codes })
    return body as { lines: { ok: boolean; error?: string }[]; subtotal: number; total: number; currency: string }
  }

  /** Previews a cart, and buys what the preview showed. */
  async function buy(organizationId: string, codes: readonly string[]) {
    const { lines, subtotal, currency, total } = await preview(organizationId, codes)
    const cart = { product_codes: codes, expected_subtotal: subtotal, currency }
    const { status, body } = await bed.stack.post('/api/billing/checkout', organizationId, cart)
    return { shown: lines.map(outcome), total, currency, status, lines: (body as typeof lines).map(outcome) }
  }

  const outcome = ({ ok, error }: { ok: boolean; error?: string }) => (ok ? 'bought' : error)

  it('sells to a customer whose subscriptions in another currency have ended', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'])
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    await sellInEuros({ addon_monitoring: 4500 })
    const answer = await buy(organizationId, ['addon_monitoring'])
    expect(answer).toMatchObject({ shown: ['bought'], total: 4500, currency: 'eur', status: 201, lines: ['bought'] })
  })

  it('is refused to a customer of another currency, by preview and checkout alike, and nothing is kept', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'])
    await sellInEuros({ addon_monitoring: 4500 })
    const said = {
      ok: false,
      product_code: 'addon_monitoring',
      error: 'currency_mismatch',
      detail: 'The price is in another currency than the organization’s other purchases',
    }
    expect(await preview(organizationId, ['addon_monitoring'])).toMatchObject({ lines: [said], subtotal: 0, total: 0 })
    const { status, body } = await stack.checkout(organizationId, ['addon_monitoring'])
    expect([status, body]).toEqual([409, [said]])
    expect(await billingState(stack, organizationId, 'addon_monitoring')).toEqual({ ...nothingBought, charges: 1 })
  })

  it('sells a customer the lines in the customer’s currency, wherever they are in the cart', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'])
    await sellInEuros({ addon_monitoring: 4500 })
    const { shown, lines, total, currency } = await buy(organizationId, ['addon_monitoring', 'addon_remote_ssh'])
    expect([shown, lines]).toEqual([
      ['currency_mismatch', 'bought'],
      ['currency_mismatch', 'bought'],
    ])
    const [latest] = (await stack.stripe.invoices.list({ limit: 1 })).data
    expect(latest).toMatchObject({ currency, total })
  })

  it.each([
    ['held to what was shown', true],
    ['asked for blindly', false],
  ])('sells a new customer what is in the currency of the first line, %s', async (_, isHeld) => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await sellInEuros({ addon_monitoring: 4500 })
    const cart = ['no_such_plan', 'base_ota', 'addon_monitoring', 'addon_remote_ssh']
    const alike = ['unknown_plan', 'bought', 'currency_mismatch', 'bought']
    const said = await preview(organizationId, cart)
    expect([said.lines.map(outcome), said.currency]).toEqual([alike, 'usd'])
    if (isHeld) expect(await buy(organizationId, cart)).toMatchObject({ status: 201, lines: alike })
    else
      expect((await stack.checkout(organizationId, cart)).outcomes).toEqual(
        alike.map((one) => (one === 'bought' ? 'bought active' : one)),
      )
    expect(await billingState(stack, organizationId)).toEqual({ ...bought, charges: 2 })
    const other = await billingState(stack, organizationId, 'addon_monitoring')
    expect(other).toEqual({ ...(isHeld ? neverClaimed : nothingBought), charges: 2 })
  })

  it('does not sell at the same amount in another currency than was shown', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['addon_crash_reporting'])
    await stack.cancel(organizationId, { product: 'crash_reporting', at_period_end: false })
    const { subtotal, currency } = await preview(organizationId, ['base_ota'])
    const terms = { unit_amount: subtotal, currency: 'eur' }
    await replace('base_ota', terms, { archived: true })
    const cart = { product_codes: ['base_ota'], expected_subtotal: subtotal, currency }
    const { status, body } = await stack.post('/api/billing/checkout', organizationId, cart)
    expect([status, body]).toMatchObject([409, [{ error: 'price_changed' }]])
    expect(await billingState(stack, organizationId)).toEqual({ ...nothingBought, charges: 1 })
  })
})
