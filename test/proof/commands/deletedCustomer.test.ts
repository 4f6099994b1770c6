import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { buyCart } from './actions.ts'
import { passOneDay } from './dailyPass.ts'
import { useHand } from './dashboard.ts'
import { createModel, type Model } from './referenceModel.ts'
import { boundCustomer, openSession, prepare, type Session } from './session.ts'

const prepared = await prepare()
const line = { organization: 0, code: 'base_ota' } as const
const cart = { organization: 0, user: 0, codes: ['base_ota'], card: undefined, coupon: undefined } as const

let session: Session
let model: Model
beforeEach(() => {
  session = openSession(prepared, { hasHands: true })
  model = createModel()
})
afterEach(() => session.world.close())

/** Stripe sends an event again for three days only. */
function giveUpWebhooks({ world }: Session): void {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    for (const { delivery } of world.stripe.core.pendingWebhooks(true))
      world.stripe.core.recordWebhookAttempt(delivery, 500)
  }
  expect(world.stripe.core.pendingWebhooks(true)).toEqual([])
}

describe('A customer that is deleted while the outcome of a purchase is unknown', () => {
  it.each([
    ['its event is delivered until it is acknowledged', false],
    ['its event is given up before the slot is free', true],
  ])('is forgotten within a day, where %s', async (_, isGivenUp) => {
    const { world } = session
    session.mishap = { on: 'port', call: 6, kind: 'late' }
    await buyCart(model, session, cart)
    await useHand(model, session, { hand: 'delete the customer', ...line })
    expect(await world.deliverWebhooks()).toBe(1)
    expect(boundCustomer(world, 0)).toBeDefined()
    if (isGivenUp) giveUpWebhooks(session)
    expect(await passOneDay(session)).toEqual([])
    expect(boundCustomer(world, 0)).toBeUndefined()
  })
})
