import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'
import { billingState, bought, neverClaimed } from '../../billingState.ts'
import { replacePrice } from '../../listPrices.ts'
import { refusedLine } from './lineRefusals.ts'

describe('A checkout that says which subtotal its buyer was shown', () => {
  const bed = useBillingStack()
  const restore: (() => Promise<unknown>)[] = []

  // Five minutes later no function knows the prices of a test any more.
  afterEach(async () => {
    for (const undo of restore.splice(0)) await undo()
    await bed.stack.emulator.advance(301)
  })

  async function preview(organizationId: string, codes: readonly string[], coupon?: string) {
    const cart = { product_codes: codes, ...(coupon !== undefined && { coupon_code: coupon }) }
    const { body } = await bed.stack.post('/api/billing/checkout/preview', organizationId, cart)
    const { subtotal, currency } = body as { subtotal: number; currency: string }
    return { expected_subtotal: subtotal, currency }
  }

  async function buy(organizationId: string, codes: readonly string[], more: Record<string, unknown>) {
    const { status, body } = await bed.stack.post('/api/billing/checkout', organizationId, {
      product_codes: codes,
      ...more,
    })
    const lines = body as { ok: boolean; error?: string }[]
    return { status, body, outcomes: Array.isArray(lines) ? lines.map(({ ok, error }) => (ok ? 'bought' : error)) : [] }
  }

  async function changePrice(planCode: string, unit_amount: number, { archived = false } = {}) {
    restore.push(await replacePrice(bed.stack, planCode, { unit_amount }, { archived }))
  }

  const changed = refusedLine('price_changed', 'The price has changed since it was shown')

  it('buys at what the preview said', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const cart = ['base_ota', 'addon_monitoring']
    const shown = await preview(organizationId, cart)
    expect(await buy(organizationId, cart, shown)).toMatchObject({ status: 201, outcomes: ['bought', 'bought'] })
  })

  it('is refused before anything is claimed if the price has changed, and says why in each line', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const shown = await preview(organizationId, ['base_ota'])
    await changePrice('base_ota', 5807)
    const refused = await buy(organizationId, ['base_ota', 'no_such_plan'], shown)
    expect([refused.status, refused.outcomes]).toEqual([409, ['price_changed', 'unknown_plan']])
    expect((await buy(organizationId, ['base_ota'], shown)).body).toEqual([changed])
    expect(await billingState(bed.stack, organizationId)).toEqual(neverClaimed)
  })

  it('buys at the new price that the preview shows, though its function knows an older list', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    await buy(organizationId, ['addon_monitoring'], {})
    await changePrice('base_ota', 5809)
    const shown = await preview(organizationId, ['base_ota'])
    expect(shown.expected_subtotal).toBe(5809)
    expect(await buy(organizationId, ['base_ota'], shown)).toMatchObject({ status: 201 })
    const [latest] = (await bed.stack.stripe.invoices.list({ limit: 1 })).data
    expect(latest?.subtotal).toBe(5809)
  })

  it('is refused if the gateway itself says that the price is not sold any more, and the new one differs', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    await buy(organizationId, ['addon_monitoring'], {})
    const shown = await preview(organizationId, ['base_ota'])
    await changePrice('base_ota', 5811, { archived: true })
    expect(await buy(organizationId, ['base_ota'], shown)).toMatchObject({ status: 409, outcomes: ['price_changed'] })
    const state = { slot: 'none', subscriptions: [], charges: 1 }
    expect(await billingState(bed.stack, organizationId)).toEqual(state)
  })

  it('is refused in another currency', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const shown = await preview(organizationId, ['base_ota'])
    const answer = await buy(organizationId, ['base_ota'], { ...shown, currency: 'eur' })
    expect(answer).toMatchObject({ status: 409, outcomes: ['price_changed'] })
  })

  it('counts the one line that a coupon buys, before its discount', async () => {
    const { organizationId } = await bed.stack.organizationWithCard()
    const { code } = await bed.stack.newCoupon()
    const cart = ['base_ota', 'addon_monitoring']
    const shown = await preview(organizationId, cart, code)
    expect(shown).toEqual(await preview(organizationId, ['base_ota']))
    const answer = await buy(organizationId, cart, { ...shown, coupon_code: code })
    expect(answer.outcomes[0]).toBe('bought')
    expect(await billingState(bed.stack, organizationId)).toEqual(bought)
  })

  it('keeps the outcome of what was bought before, at whatever price is listed now', async () => {
    const { stack } = bed
    const card = 'pm_card_authenticationRequired'
    const { organizationId } = await stack.organizationWithCard(card)
    const shown = await preview(organizationId, ['base_ota'])
    expect((await buy(organizationId, ['base_ota'], shown)).outcomes).toEqual(['bought'])
    await changePrice('base_ota', 5813)
    const again = await buy(organizationId, ['base_ota'], shown)
    expect([again.status, again.body]).toMatchObject([201, [{ client: { action: 'confirm_payment' } }]])
  })

  it('counts an open invoice at what it says', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard('pm_card_authenticationRequired')
    await buy(organizationId, ['base_ota'], {})
    await changePrice('base_ota', 5817)
    const cart = ['base_ota', 'addon_monitoring']
    const shown = await preview(organizationId, cart)
    const refused = await buy(organizationId, cart, { ...shown, expected_subtotal: shown.expected_subtotal + 1 })
    expect(refused).toMatchObject({ status: 409, outcomes: ['price_changed', 'price_changed'] })
    const answer = await buy(organizationId, cart, shown)
    expect([answer.status, answer.outcomes]).toEqual([201, ['bought', 'bought']])
  })

  it('finds a purchase again whose answer was lost', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const cart = ['base_ota', 'addon_monitoring']
    const shown = await preview(organizationId, cart)
    await stack.emulator.webhooks('hold')
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 8 })
    expect((await buy(organizationId, cart, shown)).status).toBe(503)
    await stack.emulator.clearFaults()
    const again = await buy(organizationId, cart, shown)
    expect([again.status, again.outcomes]).toEqual([201, ['bought', 'bought']])
    expect(await stack.charges(organizationId)).toBe(2)
  })

  it('does not pay what another buyer left unpaid meanwhile, at a price that was not shown', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const theirs = await stack.addCard(organizationId, 'pm_card_authenticationRequired')
    const cart = ['base_ota', 'addon_monitoring']
    const shown = await preview(organizationId, cart)
    await stack.emulator.webhooks('hold')
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 8 })
    expect((await buy(organizationId, ['base_ota'], { payment_method_id: theirs })).status).toBe(503)
    await stack.emulator.clearFaults()
    await stack.emulator.advance(60)
    const answer = await buy(organizationId, cart, shown)
    expect([answer.status, answer.outcomes]).toEqual([201, ['checkout_in_progress', 'bought']])
    expect(await stack.charges(organizationId)).toBe(1)
  })

  it.each([{ expected_subtotal: 2900 }, { currency: 'usd' }])('wants both members or neither: %j', async (member) => {
    const answer = await buy(randomUUID(), ['base_ota'], member)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ msg: 'Field required', type: 'missing' }] } })
  })
})
