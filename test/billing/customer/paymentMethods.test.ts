import { describe, expect, it } from '@jest/globals'
import { subscribedOrganization } from '../gatewayView.ts'
import { cards, useCardRequests } from './useCardRequests.ts'

const { bed, send, list, makeDefault, remove, defaultOf } = useCardRequests()

describe('GET /api/billing/payment-methods', () => {
  it('lists the cards, newest first, with nothing but what may be shown; none before there is a customer', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const second = await stack.addCard(organizationId, 'pm_card_mastercard')
    const shown = { exp_month: 11, exp_year: 2032, has_paid: false, pays_for: [] }
    expect((await list(organizationId)).body).toEqual({
      payment_methods: [
        { id: second, brand: 'mastercard', last4: '4444', is_default: false, ...shown },
        { id: card, brand: 'visa', last4: '4242', is_default: true, ...shown },
      ],
      next_cursor: null,
    })
    await stack.emulator.clearRequests()
    const empty = await stack.client.newOrganization()
    expect(await list(empty)).toEqual({ status: 200, body: { payment_methods: [], next_cursor: null } })
    expect(await stack.emulator.requests()).toEqual([])
  })

  it('has each card under its id too, and none of another organization', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const { card: foreign } = await stack.organizationWithCard()
    const [listed] = cards.parse((await list(organizationId)).body).payment_methods
    expect(await send('GET', `payment-methods/${card}`, organizationId)).toEqual({ status: 200, body: listed })
    for (const id of [foreign, 'pm_unknown'])
      expect(await send('GET', `payment-methods/${id}`, organizationId)).toMatchObject({
        status: 404,
        body: { code: 'payment_method_not_found' },
      })
    const number = await send('GET', 'payment-methods/4242424242424242', organizationId)
    expect(number).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'payment_method_id'] }] } })
  })
})

describe('POST /api/billing/payment-methods/{id}/default', () => {
  it('makes it the customer’s and that of every live subscription, and not of an incomplete one; sent again, the same', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard('pm_card_visa')
    await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'], { card })
    const unauthenticated = await stack.addCard(organizationId, 'pm_card_authenticationRequired')
    await stack.checkout(organizationId, ['addon_remote_ssh'], { card: unauthenticated })
    const next = await stack.addCard(organizationId, 'pm_card_mastercard')
    for (let sent = 0; sent < 2; sent += 1) {
      expect(await makeDefault(organizationId, next)).toEqual({
        status: 200,
        body: { id: next, brand: 'mastercard', last4: '4444', exp_month: 11, exp_year: 2032, is_default: true },
      })
      const all = await stack.subscriptions(organizationId)
      const own = all.map(({ status, default_payment_method }) => `${status} ${default_payment_method}`).sort()
      expect(own).toEqual([`active ${next}`, `active ${next}`, `incomplete ${unauthenticated}`])
      expect(await defaultOf(organizationId)).toBe(next)
    }
  })

  // [threat 60]
  it('answers 404 for another organization’s card, and sells nothing to it', async () => {
    const { stack } = bed
    const [{ organizationId }, other] = [await subscribedOrganization(stack), await stack.organizationWithCard()]
    for (const card of [other.card, 'pm_unknown', 'pm_card_visa']) {
      expect(await makeDefault(organizationId, card)).toMatchObject({
        status: 404,
        body: { code: 'payment_method_not_found' },
      })
      expect(await remove(organizationId, card)).toMatchObject({ status: 404 })
    }
    expect(await defaultOf(other.organizationId)).toBe(other.card)
  })
})

describe('DELETE /api/billing/payment-methods/{id}', () => {
  it('keeps the default card while something is subscribed, and removes it after', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.checkout(organizationId, ['base_ota'], { card })
    expect(await remove(organizationId, card)).toMatchObject({ status: 409, body: { code: 'payment_method_in_use' } })
    await stack.cancel(organizationId, { product: 'ota' })
    expect((await remove(organizationId, card)).status).toBe(409)
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect((await remove(organizationId, card)).status).toBe(204)
    expect(await list(organizationId)).toEqual({ status: 200, body: { payment_methods: [], next_cursor: null } })
    expect(await remove(organizationId, card)).toMatchObject({ status: 404 })
  })
})
