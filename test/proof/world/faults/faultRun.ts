import { BillingError } from '../../../../lib/billing/errors.ts'
import { reconcile } from '../../../../lib/billing/reconcile/reconcile.ts'
import { CommonError } from '../../../../lib/core/errors.ts'
import { notAtRest } from '../finalState.ts'
import { type Gap, gaps } from '../gaps.ts'
import { type Healer, healingBy, sweeping } from '../healers.ts'
import type { Ending } from '../orders/gate.ts'
import type { Story } from '../stories/story.ts'
import { createWorld, type World } from '../world.ts'
import type { Fault } from './faults.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How a run is healed: by whom and when, and whether the owed webhooks come before that or after. */
export interface Healing {
  by: Healer
  gap: Gap
  webhooks: 'before' | 'after'
}

/** What came of one run. */
export interface RunResult {
  /** What was broken, in words; empty where everything held. */
  broken: string[]
  trace: readonly string[]
  /** Every call that reached the gate. */
  awaits: readonly string[]
  /** Calls that reached the gate before the first repeat. */
  firstAwaits: readonly string[]
  /** Repeats until one was answered for good and nothing was left pending. */
  repeats: number
}

/**
 * A caller who was refused because a lease or the quiet time was not over, repeats; and a purchase that was left pending
 * behind another answer is resumed, as the sweeper would: soon, and then daily.
 */
const COME_BACK = [MINUTE, 20 * MINUTE, 21 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR]

/** Plays a story with its faults, heals it and looks at what is left. */
export async function playStory(
  story: Story,
  faults: readonly Fault[],
  healing: Healing,
  seed = 7,
): Promise<RunResult> {
  const world = createWorld(seed, { faults, meanwhile: story.meanwhile, others: story.others }, story.beginning)
  try {
    await act(world, story)
    const firstAwaits = [...world.awaits]
    if (healing.webhooks === 'before') await world.deliverWebhooks()
    await world.pass(gaps[healing.gap])
    const operation = healingBy(healing.by, story, world)
    let [answered, repeats] = [await act(world, { operation }), 1]
    const isBuyer = operation !== 'webhooks'
    const kept =
      isBuyer && !answered && faults.length < 2 && isRefusedTooLong(healing, faults)
        ? [`refused at ${healing.gap}`]
        : []
    await acknowledgeWebhooks(world)
    const resuming = healing.by === 'the same request' ? story.meanwhile : sweeping
    for (const wait of COME_BACK) {
      if (answered && !isPending(world)) break
      await world.pass(wait)
      const resumed = isPending(world) && (await act(world, { operation: resuming }))
      // What resumes the story's own purchase answers for it.
      answered = resumed && resuming !== sweeping ? true : await act(world, { operation })
      repeats += 1
      await acknowledgeWebhooks(world)
    }
    const isIntended = healing.by === 'the same request' || healing.by === 'another user'
    const left = () => [...notAtRest(world), ...(isIntended ? story.atRest(world, healing.by) : [])]
    await reconcileGivenUp(world, left, healing.gap === '+30 d')
    const broken = [...kept, ...world.violations, ...left()]
    return { broken, trace: world.trace, awaits: world.awaits, firstAwaits, repeats }
  } finally {
    world.close()
  }
}

/** An hour later no buyer is refused for what became of an earlier purchase, unless a failure was stored under its key. */
function isRefusedTooLong({ gap }: Healing, faults: readonly Fault[]): boolean {
  return gaps[gap] >= HOUR && !faults.some(({ kind }) => kind.startsWith('saved 500'))
}

/** Delivers until nothing is owed. A webhook that meets a fault is sent again; a renewal that falls due owes more of them. */
export async function acknowledgeWebhooks(world: World): Promise<void> {
  const { core } = world.stripe
  for (let round = 0; round < 6; round += 1) {
    if ((await world.deliverWebhooks()) > 0) await world.pass(MINUTE)
    core.tick()
    if (core.pendingWebhooks(true).length === 0) return
  }
}

/**
 * Webhooks that the gateway has given up are the daily reconciliation's.
 * @param forgotten whether the gateway may list them no longer, as after 30 days
 */
export async function reconcileGivenUp(world: World, left: () => string[], forgotten = false): Promise<void> {
  const { data } = await world.stripe.sdk.events.list({ delivery_success: false, limit: 1 })
  if (data.length === 0 && !forgotten) return
  // One pass repairs everything; each of three faults may meet a pass.
  for (let day = 0; day < 4 && left().length > 0; day += 1) {
    await world.pass(24 * HOUR)
    await world.run((deps) => reconcile(deps, { finishBy: Infinity, begin: true }))
  }
}

/** Whether a purchase waits to be resumed. */
export function isPending(world: World): boolean {
  return world.records.save().slots.some(({ state }) => state === 'pending')
}

/** Does what the story does, once. Returns whether the answer was final. */
async function act(world: World, { operation }: Pick<Story, 'operation'>): Promise<boolean> {
  if (operation === 'webhooks') return (await world.deliverWebhooks()) === 0
  return isFinal(await world.run(operation))
}

function isFinal(ending: Ending<unknown>): boolean {
  if (ending.kind === 'crashed') return false
  if (ending.kind === 'answered') {
    // A lost redemption is reported for a week, and no repeat mends it.
    const lost = ',"remedy":"report","why":"it ended unpaid'
    return !new RegExp(
      `"error":"(gateway_unavailable|checkout_in_progress)"|"done":false(?!${lost})|"state":"interrupted"`,
    ).test(JSON.stringify(ending.value))
  }
  const { error } = ending
  if (error instanceof BillingError)
    return error.code !== 'gateway_unavailable' && error.code !== 'checkout_in_progress'
  if (error instanceof CommonError) return false
  throw error
}
