import { describe, expect, it } from '@jest/globals'
import { errorBody } from '../../../support/errorBody.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const inProgress = { status: 409, body: errorBody('CHECKOUT_IN_PROGRESS', 'checkout_in_progress') }

/** Every write that was sent to the gateway, other than a purchase. */
async function writesSent(): Promise<string[]> {
  const requests = await bed.stack.emulator.requests()
  const writes = requests.filter(({ method, path }) => method !== 'GET' && path !== '/v1/subscriptions')
  return writes.map(({ method, path }) => `${method} ${path}`)
}

describe('POST /api/billing/cancel', () => {
  describe('Given a purchase under way', () => {
    it('answers 409 while the purchase is being sent, and does not stop it', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await stack.emulator.webhooks('hold')
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms: 1200 })
      await stack.emulator.clearRequests()
      const buying = stack.checkout(organizationId, ['base_ota'], { card })
      await stack.until(async () => {
        return (await stack.emulator.requests()).some(
          ({ method, path }) => `${method} ${path}` === 'POST /v1/subscriptions',
        )
      })
      for (const at_period_end of [true, false]) {
        expect(await stack.cancel(organizationId, { product: 'ota', at_period_end })).toEqual(inProgress)
      }
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending' })
      expect(await writesSent()).toEqual([])
      expect((await buying).outcomes).toEqual(['bought active'])
      expect((await stack.cancel(organizationId, { product: 'ota' })).status).toBe(200)
    })

    // [bug 4]
    it('cancels a purchase whose answer was lost, and frees one that never arrived after 15 min', async () => {
      const { stack } = bed
      const cancelLost = async (kind: 'drop_before' | 'drop_after') => {
        const { organizationId, card } = await stack.organizationWithCard()
        await stack.emulator.webhooks('hold')
        await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind, times: 2 })
        const first = await stack.checkout(organizationId, ['base_ota'], { card })
        expect(first.outcomes).toEqual(['gateway_unavailable'])
        const cancelAgain = () => stack.cancel(organizationId, { product: 'ota', at_period_end: false })
        return { organizationId, cancelAgain, answer: await cancelAgain() }
      }
      const made = await cancelLost('drop_after')
      expect(made.answer).toMatchObject({ status: 200, body: { status: 'canceled' } })
      expect(await stack.slot(made.organizationId)).toMatchObject({ state: 'canceled', n: 1 })
      expect(await made.cancelAgain()).toMatchObject({ status: 200, body: { status: 'canceled' } })

      const lost = await cancelLost('drop_before')
      expect(lost.answer).toMatchObject({ status: 503 })
      await stack.emulator.advance(15 * 60 + 1)
      expect(await lost.cancelAgain()).toMatchObject({ status: 404 })
      expect(await stack.slot(lost.organizationId)).toMatchObject({ state: 'none', n: 1 })
      expect(await stack.subscriptions(lost.organizationId)).toEqual([])
    })
  })
})
