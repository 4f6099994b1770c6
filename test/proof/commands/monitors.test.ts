import { afterEach, describe, expect, it } from '@jest/globals'
import { withCalls } from '../../billing/gatewayCalls.ts'
import { buyCart, cancelLine } from './actions.ts'
import { useHand } from './dashboard.ts'
import { createModel } from './referenceModel.ts'
import { openSession, prepare, type Sabotage, type Session } from './session.ts'

const prepared = await prepare()
const line = { organization: 0, user: 0, code: 'base_ota' } as const
const cart = { organization: 0, user: 0, codes: ['base_ota'], card: 'good', coupon: undefined } as const
const MINUTE = 60_000

const opened: Session[] = []
afterEach(() => {
  for (const { world } of opened.splice(0)) world.close()
})

/** A session of which the model expects nothing for the line, so that the monitors alone judge it. */
async function open(sabotage: Sabotage) {
  const session = openSession(prepared, { sabotage, hasHands: true })
  opened.push(session)
  const model = createModel()
  await useHand(model, session, { hand: 'cancel the subscription', ...line })
  return { session, model }
}

describe('The monitors of a session', () => {
  it('notice a refund of what is no surplus', async () => {
    const { session, model } = await open((deps) =>
      withCalls(deps, (calls) => ({
        async cancelNow(id, why) {
          const canceled = await calls.cancelNow(id, why)
          await calls.refundSubscription(id)
          return canceled
        },
      })),
    )
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toEqual([])
    await cancelLine(model, session, { ...line, atPeriodEnd: false })
    expect(session.monitors.observe()).toEqual([expect.stringMatching(/^refunded sub_\w+: it was the only one$/)])
  })

  it('notice a charge after a purchase was answered with a definite refusal', async () => {
    const { session, model } = await open((deps) =>
      withCalls(deps, (calls) => ({
        async createSubscription(...args) {
          const answer = await calls.createSubscription(...args)
          return answer.kind === 'unknown' ? { kind: 'refused', reason: 'other' } : answer
        },
      })),
    )
    session.mishap = { on: 'port', call: 6, kind: 'late' }
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toEqual([])
    await session.world.pass(MINUTE)
    expect(session.monitors.observe()).toEqual([expect.stringMatching(/^ch_\w+ paid for .* n=1, which was given up/)])
  })

  it('notice a buyer who is refused for more than 20 minutes where nothing was bought', async () => {
    const { session, model } = await open((deps) =>
      withCalls(deps, () => ({ createSubscription: async () => ({ kind: 'unknown', saved: false }) })),
    )
    await buyCart(model, session, cart)
    await session.world.pass(19 * MINUTE)
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toEqual([])
    await session.world.pass(2 * MINUTE)
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toEqual([
      expect.stringMatching(/^base_ota of organization 0 is refused gateway_unavailable for 21/),
    ])
  })

  it.each([
    ['is counted, for nothing is stored under its key', '500 twice', 1],
    ['is not counted where it was stored: it may still be executed', 'saved 500', 0],
  ] as const)('wait after a 500, which %s', async (_, kind, findings) => {
    const { session, model } = await open((deps) =>
      withCalls(deps, () => ({ createSubscription: async () => ({ kind: 'unknown', saved: false }) })),
    )
    session.mishap = { on: 'wire', path: '/v1/*', kind }
    await buyCart(model, session, cart)
    await session.world.pass(21 * MINUTE)
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toHaveLength(findings)
  })

  it('notice a line that the service itself bought twice', async () => {
    const { session, model } = await open((deps) =>
      withCalls(deps, (calls) => ({
        async createSubscription(frozen, customer, key, limits) {
          await calls.createSubscription(frozen, customer, `${key}9`, limits)
          return calls.createSubscription(frozen, customer, key, limits)
        },
      })),
    )
    await buyCart(model, session, cart)
    expect(session.monitors.observe()).toEqual([expect.stringMatching(/was bought 2 times$/)])
  })
})
