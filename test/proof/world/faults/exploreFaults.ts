import { gapNames } from '../gaps.ts'
import { healers, healersOf } from '../healers.ts'
import type { Story } from '../stories/story.ts'
import { type Healing, playStory, type RunResult } from './faultRun.ts'
import { distinctFaultsAt, type Fault, faultsAt } from './faults.ts'

/** A run that broke a rule. */
export interface Finding {
  story: string
  faults: readonly Fault[]
  healing: Healing
  broken: string[]
  trace: readonly string[]
}

/** What an exploration came to. */
export interface Explored {
  runs: number
  /** The method calls that reached the gate at least once, without invocation and number. */
  reached: Set<string>
  /** The run with the shortest trace for each set of broken rules, ids left out. */
  findings: Map<string, Finding>
  /** First faults of pairs that there are, and those that were played. */
  firsts: number
  played: number
  /** The most repeats that a run took until one was answered for good. */
  mostRepeats: number
}

/** A story, its own awaits, and what has come of it so far. */
interface Exploring {
  story: Story
  awaits: readonly string[]
  explored: Explored
}

export function nothingExplored(): Explored {
  return { runs: 0, firsts: 0, played: 0, reached: new Set(), findings: new Map(), mostRepeats: 0 }
}

async function play(story: Story, faults: readonly Fault[], healing: Healing, explored: Explored): Promise<RunResult> {
  const result = await playStory(story, faults, healing)
  explored.runs += 1
  explored.mostRepeats = Math.max(explored.mostRepeats, result.repeats)
  for (const name of result.awaits) explored.reached.add(name.replace(/^\d+\//, '').replace(/#\d+$/, ''))
  note(explored, { story: story.name, faults, healing, ...result })
  return result
}

/** Keeps a run that broke rules, unless a shorter one broke the same. */
export function note(
  { findings }: Pick<Explored, 'findings'>,
  { story, faults, healing, broken, trace }: Finding,
): void {
  if (broken.length === 0) return
  const key = `${story}: ${broken.join('; ').replace(/\b(sub|in|pi)_\w+/g, '$1')}`
  const known = findings.get(key)
  if (!known || known.trace.length > trace.length) findings.set(key, { story, faults, healing, broken, trace })
}

/**
 * Every single fault of a story's own awaits, healed by every healer at every gap; the webhooks come before that and after it
 * in turn. Of faults that have the same effect, only one is healed in every way; the others in one way each, in turn.
 * @param every 1 for every way to heal, 20 for each twentieth of them in turn
 * @param share 1 for every fault of an await, 3 for each third of them in turn
 */
export async function exploreSingles({ story, awaits, explored }: Exploring, every = 1, share = 1): Promise<void> {
  const ways = story.gaps.flatMap((gap) => healersOf(story).map((by) => ({ by, gap })))
  let [turn, fault] = [0, 0]
  for (const at of awaits) {
    const distinct = distinctFaultsAt(at, isLast(at, awaits))
    for (const kind of faultsAt(at)) {
      if (fault++ % share !== 0) continue
      const chosen = distinct.includes(kind)
        ? ways.filter((_, index) => (index + turn) % every === 0)
        : ways.slice(turn % ways.length).slice(0, 1)
      for (const way of chosen)
        await play(story, [{ at, kind }], { ...way, webhooks: turn++ % 2 ? 'before' : 'after' }, explored)
    }
  }
}

/**
 * Every pair of distinct faults: the first at one of the story's own awaits, the second at any later await of the run that
 * this leads to, its repeats and webhooks included. Gap and order of healing rotate from one first fault to the next.
 * @param every 1 for every first fault, 16 for each sixteenth of them
 * @param begin which of the first 16 is the first to be played
 */
export async function explorePairs({ story, awaits, explored }: Exploring, every = 1, begin = 0): Promise<void> {
  const firsts = awaits.flatMap((at) => distinctFaultsAt(at, isLast(at, awaits)).map((kind) => ({ at, kind })))
  explored.firsts += firsts.length
  for (const [index, first] of firsts.entries()) {
    if (index % every !== begin % every) continue
    explored.played += 1
    const healing = healingOf(story, index)
    const alone = await play(story, [first], healing, explored)
    const later = alone.awaits.slice(alone.awaits.indexOf(first.at) + 1)
    for (const [offset, at] of later.entries()) {
      for (const kind of distinctFaultsAt(at, isLast(at, later))) {
        const { gap } = healingOf(story, index + offset)
        await play(story, [first, { at, kind }], { ...healing, gap }, explored)
      }
    }
  }
}

/** Whether this is the last call of its invocation. */
function isLast(at: string, awaits: readonly string[]): boolean {
  const [invocation] = at.split('/')
  return awaits.findLast((other) => other.startsWith(`${invocation}/`)) === at
}

/** Healer and order of healing change the awaits of a run, so they stay the same for one first fault. */
function healingOf(story: Story, turn: number): Healing {
  const by = healersOf(story)
  return {
    by: by[turn % by.length] ?? healers[0],
    gap: story.gaps[turn % story.gaps.length] ?? gapNames[0],
    webhooks: turn % 2 === 0 ? 'after' : 'before',
  }
}

/** A finding as text: what failed, what broke, and every step. */
export function describeFinding({ story, faults, healing, broken, trace }: Finding): string {
  const failed = faults.map(({ at, kind }) => `${at} ${kind}`).join(', ')
  return [
    `${story}; ${failed}; then ${healing.by} at ${healing.gap}, webhooks ${healing.webhooks}`,
    ...broken,
    ...trace,
  ].join('\n  ')
}
