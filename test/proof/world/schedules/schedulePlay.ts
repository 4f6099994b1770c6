import { planCodes } from '../../../../lib/billing/catalog.ts'
import { organizationId } from '../../../billing/fixtures.ts'
import type { HandName } from '../../commands/dashboard.ts'
import { createMonitors } from '../../commands/monitors.ts'
import { acknowledgeWebhooks, isPending, reconcileGivenUp } from '../faults/faultRun.ts'
import type { Fault } from '../faults/faults.ts'
import { notAtRest } from '../finalState.ts'
import type { Choose, Ending } from '../orders/gate.ts'
import { buying } from '../stories/storiesGround.ts'
import type { Story } from '../stories/story.ts'
import { createWorld, type World } from '../world.ts'
import type { Act } from './scheduleActs.ts'
import { byHand, wrongByHand } from './scheduleHands.ts'
import { createNews } from './scheduleNews.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Whoever left a purchase pending, or the sweeper, comes back after these. */
const COME_BACK = [MINUTE, 20 * MINUTE, 21 * 60 * MINUTE]

const crashed = { kind: 'crashed' } as const

/** Acts that are played side by side, and how. */
export interface Cast {
  story: Story
  acts: readonly Act[]
  choose: (world: World) => Choose
  faults?: readonly Fault[]
  seed?: number
  /** What a person does beside them, once. */
  hand?: HandName
  /** Shown the world when every act has ended, before it is healed. */
  look?: (world: World, endings: readonly Ending<unknown>[]) => void
}

/** What one schedule came to. */
export interface Played {
  /** The rules that it broke; empty where all held. */
  broken: string[]
  trace: readonly string[]
}

/**
 * Plays acts side by side in one order of their calls, beginning with a whole second five minutes after the story, when every
 * lease has ended and the sweeper is due. Then every owed webhook is delivered, and what is still pending is resumed.
 * @throws whatever `choose` throws; and where a call did not reach the gate in time, so that it could not be chosen
 */
export async function playSchedule(cast: Cast): Promise<Played> {
  const { story, choose, faults = [], seed = 11, hand, look } = cast
  const { beginning, others, meanwhile } = story
  const world = createWorld(seed, { faults, others, meanwhile }, beginning)
  try {
    await world.pass(5 * MINUTE)
    await world.pass(SECOND - (world.clock.now() % SECOND))
    // What a person buys twice in the Dashboard is no violation of the service's.
    if (hand) world.stripe.core.control.changeSettings({ one_live_per: [] })
    const monitors = hand && createMonitors(world)
    const observe = () => monitors?.observe()
    observe()
    const acts = hand ? [...cast.acts, byHand(hand)] : cast.acts
    // What is not acted on would be a webhook without a call.
    const owed = () => world.owedEvents().filter(({ kind }) => kind !== 'other')
    const news = createNews(owed, acts.length)
    const patient = faults.length === 0
    const choice = choose(world)
    const event = patient ? news.event : async (place: number) => owed()[place]
    const operations = acts.map((act) => act({ world, story, event, observe }))
    const at = world.clock.now()
    const endings = await world.runTogether(
      operations.map((operation) => (deps) => operation(news.watched(deps)).finally(news.ended)),
      (ready) => {
        const here = new Set(ready.map(({ invocation }) => invocation)).size
        if (patient && here !== news.busy()) throw new Error('An operation waits for something that is no port')
        return choice(ready)
      },
    )
    look?.(world, endings)
    if (hand && monitors) {
      const requested = operations.map((operation, index) => ({ operation, ending: endings[index] ?? crashed }))
      return { broken: await wrongByHand(world, monitors, { hand, requested, at }), trace: world.trace }
    }
    await heal(world)
    const left = () => [...notAtRest(world), ...story.atRest(world)]
    await reconcileGivenUp(world, left)
    return { broken: [...world.violations, ...left()], trace: world.trace }
  } finally {
    world.close()
  }
}

async function heal(world: World): Promise<void> {
  await acknowledgeWebhooks(world)
  for (const wait of COME_BACK) {
    if (!isPending(world)) return
    await world.pass(wait)
    const slots = world.records.save().slots.filter((slot) => slot.organizationId === organizationId)
    for (const { product } of slots.filter(({ state }) => state === 'pending')) {
      await world.run(buying({ productCodes: [planCodes[product]] }))
    }
    await acknowledgeWebhooks(world)
  }
}
