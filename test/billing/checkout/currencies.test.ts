import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { cleanAfterEach } from '../cleanAfterEach.ts'
import { replacePrice } from '../listPrices.ts'

/** Longer than a price list is kept. */
const aWhile = 301

describe('A price list in more than one currency', () => {
  const bed = useBillingStack()
  cleanAfterEach(bed)
  const restore: (() => Promise<unknown>)[] = []

  afterEach(async () => {
    for (const undo of restore.splice(0)) await undo()
    await bed.stack.emulator.advance(aWhile)
  })

  /** Sells plans in euros from now on. */
  async function sellInEuros(prices: Record<string, number>) {
    for (const [planCode, unit_amount] of Object.entries(prices))
      restore.push(await replacePrice(bed.stack, planCode, { unit_amount, currency: 'eur' }))
    await bed.stack.emulator.advance(aWhile)
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
})
