import { describe, expect, it } from '@jest/globals'
import { subscribedOrganization } from '../gatewayView.ts'
import { cards, useCardRequests } from './useCardRequests.ts'

const { bed, list, makeDefault, remove, defaultOf, ownCards } = useCardRequests()

describe('GET /api/billing/payment-methods', () => {
  it('answers 503 within 8 s while the gateway does not answer', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    await stack.emulator.fault({ method: 'GET', path: '/v1/*', times: 4, kind: 'delay', delay_ms: 9000 })
    const started = performance.now()
    expect(await list(organizationId)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
    expect(performance.now() - started).toBeLessThan(8000)
  })
})

describe('POST /api/billing/payment-methods/{id}/default', () => {
  it('repairs a subscription that lags behind the default, as after a crash', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const next = await stack.addCard(organizationId, 'pm_card_mastercard')
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions/*', times: 2, kind: 'drop_before' })
    expect((await makeDefault(organizationId, next)).status).toBe(503)
    expect([await defaultOf(organizationId), await ownCards(organizationId)]).not.toEqual([next, [next]])
    expect((await makeDefault(organizationId, next)).status).toBe(200)
    expect([await defaultOf(organizationId), await ownCards(organizationId)]).toEqual([next, [next]])
  })
})

describe('DELETE /api/billing/payment-methods/{id}', () => {
  it.each(['drop_before', 'drop_after'] as const)(
    'answers 503 where its answers are lost (%s); sent again, the card is gone',
    async (kind) => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      const other = await stack.addCard(organizationId, 'pm_card_mastercard')
      await stack.emulator.fault({ method: 'POST', path: '/v1/payment_methods/*', times: 2, kind })
      expect((await remove(organizationId, other)).status).toBe(503)
      expect((await remove(organizationId, other)).status).toBe(kind === 'drop_before' ? 204 : 404)
      expect(cards.parse((await list(organizationId)).body).payment_methods).toHaveLength(1)
    },
  )
})
