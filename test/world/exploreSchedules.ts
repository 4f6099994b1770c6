import { acknowledgeWebhooks, isPending } from './faultRun.ts'
import { notAtRest } from './finalState.ts'
import type { Choose, PortCall } from './gate.ts'
import { type Beginning, createWorld, type Operation, type World } from './world.ts'

/** Something that is done in a world, made once the world stands. */
export type Act = (world: World) => Operation

/** What an exploration of schedules came to. */
export interface Scheduled {
  schedules: number
  /** The first schedule that broke a rule: what broke, and every step. */
  finding: { broken: string[]; trace: readonly string[] } | null
}

/**
 * Plays acts side by side in every order of their port calls that preempts an act at most so often; Infinity for every order.
 * Whatever is pending afterwards is carried on, as whoever repeats it would.
 * @param carryOn repeats the purchase
 */
export async function exploreSchedules(
  { beginning, others }: { beginning: Beginning; others: readonly string[] },
  acts: readonly Act[],
  preemptions: number,
  carryOn: Operation,
): Promise<Scheduled> {
  let schedules = 0
  let prefix: number[] | undefined = []
  while (prefix) {
    const steps: { chosen: number; options: number }[] = []
    const world = createWorld(11, { faults: [], others }, beginning)
    await world.pass(60_000)
    await world.runTogether(
      acts.map((act) => act(world)),
      chooseBy(prefix, steps, preemptions),
    )
    await acknowledgeWebhooks(world)
    for (let turn = 0; turn < 2 && isPending(world); turn += 1) {
      await world.pass(60_000)
      await world.run(carryOn)
      await acknowledgeWebhooks(world)
    }
    const broken = [...world.violations, ...notAtRest(world)]
    world.close()
    schedules += 1
    if (broken.length > 0) return { schedules, finding: { broken, trace: world.trace } }
    prefix = nextPrefix(steps)
  }
  return { schedules, finding: null }
}

/** Follows the prefix and then the first option; notes how many options there were at every step. */
function chooseBy(
  prefix: readonly number[],
  steps: { chosen: number; options: number }[],
  preemptions: number,
): Choose {
  let running: number | undefined
  let preempted = 0
  return (ready) => {
    // The oldest call of each invocation; the one that ran last comes first, so that the first option preempts nobody.
    const heads = ready.filter(
      (call, index) => ready.findIndex(({ invocation }) => invocation === call.invocation) === index,
    )
    const own = heads.filter(({ invocation }) => invocation === running)
    const rest = heads.filter(({ invocation }) => invocation !== running)
    const options = own.length > 0 && preempted >= preemptions ? own : [...own, ...rest]
    const chosen = prefix[steps.length] ?? 0
    steps.push({ chosen, options: options.length })
    const call = required(options[chosen])
    if (own.length > 0 && call.invocation !== running) preempted += 1
    running = call.invocation
    return call
  }
}

/** The next schedule in order of depth-first search; undefined after the last one. */
function nextPrefix(steps: readonly { chosen: number; options: number }[]): number[] | undefined {
  const last = steps.findLastIndex(({ chosen, options }) => chosen + 1 < options)
  if (last < 0) return undefined
  return steps.slice(0, last + 1).map(({ chosen }, index) => (index === last ? chosen + 1 : chosen))
}

function required(call: PortCall | undefined): PortCall {
  if (!call) throw new Error('The same prefix led to other options')
  return call
}
