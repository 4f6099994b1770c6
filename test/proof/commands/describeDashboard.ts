import { describe, expect, it } from '@jest/globals'
import { buyCart, cancelLine, deliver } from './actions.ts'
import { differences } from './compare.ts'
import { passOneDay } from './dailyPass.ts'
import { type HandName, handNames, useHand } from './dashboard.ts'
import { createModel, type Model } from './referenceModel.ts'
import { openSession, prepare, type Session } from './session.ts'

const prepared = await prepare()
const line = { organization: 0, user: 0, code: 'base_ota' } as const
const cart = { organization: 0, user: 0, codes: ['base_ota'], card: 'good', coupon: undefined } as const

const MINUTE = 60_000

/** What is held before a person opens the Dashboard. */
const before = {
  'a purchase': async (model: Model, session: Session) => buyCart(model, session, cart),
  'a canceled purchase': async (model: Model, session: Session) => {
    await buyCart(model, session, cart)
    session.backUp()
    await cancelLine(model, session, { ...line, atPeriodEnd: false })
  },
  'a purchase after a canceled one': async (model: Model, session: Session) => {
    await before['a canceled purchase'](model, session)
    await buyCart(model, session, cart)
  },
}
type Held = keyof typeof before
type Order = 'in order' | 'reversed'

/** Returns what was broken, or differs after a day without having been reported. */
async function play(hand: HandName, held: Held, order: Order): Promise<string[]> {
  const session = openSession(prepared, { hasHands: true })
  const model = createModel()
  try {
    await before[held](model, session)
    await deliver(model, session, 'in order')
    await session.world.pass(MINUTE)
    await useHand(model, session, { hand, ...line })
    await deliver(model, session, order)
    // Another organization buys the same product as ever.
    await buyCart(model, session, { ...cart, organization: 1 })
    const unreported = await passOneDay(session)
    return [...unreported, ...(await differences(model, session))]
  } finally {
    session.world.close()
  }
}

const cases = handNames.flatMap((hand) =>
  (['a purchase', 'a canceled purchase', 'a purchase after a canceled one'] as const).map((held) => ({ hand, held })),
)

/**
 * Plays everything that a person can do in the Dashboard, with the events after it in this order.
 * @param every 1 for all of it, 4 for each fourth case
 */
export function describeDashboard(order: Order, every = 1): void {
  describe('What a person does in the Dashboard costs no refund and is repaired or reported within a day', () => {
    it.each(cases.filter((_, at) => at % every === 0))(
      `$hand, after $held, events ${order}`,
      async ({ hand, held }) => {
        expect(await play(hand, held, order)).toEqual([])
      },
    )
  })
}
