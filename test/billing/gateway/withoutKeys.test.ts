import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { sweep } from '../../../lib/billing/checkout/sweep.ts'
import { MINUTE } from '../../../lib/billing/timing.ts'
import { race } from '../../support/race.ts'
import { openTwoGateways, type TwoGateways } from './organizationsOfTwo.ts'

let two: TwoGateways
let lost: 'no answer' | 'never arrived' | undefined

/** Makes a gateway forget its keys: it sells whenever it is asked, and its adapter sends each purchase once. */
beforeEach(async () => {
  two = await openTwoGateways()
  lost = undefined
  const { purchases } = two.invoice.gateway
  const sell = purchases.createSubscription
  let sent = 0
  purchases.createSubscription = async (frozen, customerId, _key, limits) => {
    if (limits.resend) return { kind: 'unknown', saved: false, notExecuted: true }
    const fault = lost
    lost = undefined
    if (fault === 'never arrived') return { kind: 'unknown', saved: false }
    sent += 1
    const answer = await sell(frozen, customerId, `sent once ${sent}`, limits)
    return fault === 'no answer' ? { kind: 'unknown', saved: false } : answer
  }
})
afterEach(() => two.close())

describe('Given a gateway without idempotency keys', () => {
  it('a purchase whose answer was lost is found by the same request, and sold once', async () => {
    lost = 'no answer'
    expect(await two.buy(['base_ota'])).toEqual(['gateway_unavailable'])
    expect(await two.buy(['base_ota'])).toEqual(['bought active'])
    expect(await two.soldByInvoice()).toBe(1)
  })

  it('one that never arrived is not sent again: it is given up after a quarter of an hour, and bought anew', async () => {
    lost = 'never arrived'
    expect(await two.buy(['base_ota'])).toEqual(['gateway_unavailable'])
    two.invoice.pass(MINUTE)
    expect(await two.buy(['base_ota'])).toEqual(['gateway_unavailable'])
    two.invoice.pass(16 * MINUTE)
    expect(await two.buy(['base_ota'])).toEqual(['bought active'])
    expect([await two.soldByInvoice(1), await two.soldByInvoice(2)]).toEqual([0, 1])
  })

  it('the sweeper settles what nothing repeats', async () => {
    lost = 'no answer'
    await two.buy(['base_ota'])
    two.invoice.pass(2 * MINUTE)
    expect(await sweep(two.deps, two.clock.now() + MINUTE)).toMatchObject({ swept: 1, resolved: 1 })
    expect(await two.slot()).toMatchObject({ state: 'active' })
  })

  it('many requests at once sell once', async () => {
    const answers = (await race(() => two.buy(['base_ota']))).flat()
    expect(answers.filter((answer) => answer === 'bought active')).toHaveLength(1)
    expect(await two.soldByInvoice()).toBe(1)
  })
})
