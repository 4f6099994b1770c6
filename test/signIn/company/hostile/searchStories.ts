import fc from 'fast-check'
import type { BrokenPromise } from './brokenPromise.ts'
import { type Guard, guards } from './guards.ts'
import type { Counts } from './hostileWorld.ts'
import { anyMove, type Move } from './moves.ts'
import { playMoves } from './playMoves.ts'

/** How much is played. The same seed plays the same again. */
export interface Search {
  readonly runs: number
  readonly moves: number
  readonly seed: number
}

/** What was played, or a story in which a promise is broken, without the moves that it does not need. */
export type Found =
  | { readonly kind: 'kept'; readonly moves: number; readonly counts: Readonly<Record<string, number>> }
  | { readonly kind: 'broken'; readonly seed: number; readonly story: readonly Move[]; readonly promise: BrokenPromise }

/** Plays random stories of people, hostile owners and hostile providers. Without a guard only the monitor is heard that is to notice it. */
export async function searchStories({ runs, moves, seed }: Search, without?: Guard): Promise<Found> {
  const removal = without && { without, monitor: guards[without] }
  const counts: Counts = new Map()
  const story = fc.array(anyMove, { minLength: moves, maxLength: moves, size: 'max' })
  for (const all of fc.sample(story, { numRuns: runs, seed })) {
    const promise = await playMoves(all, { removal, counts })
    if (promise === undefined) continue
    const shortest = await shorten(all, (some) => playMoves(some, { removal }))
    return { kind: 'broken', seed, ...shortest }
  }
  return { kind: 'kept', moves: runs * moves, counts: Object.fromEntries([...counts].toSorted()) }
}

/** Leaves out pieces of the story, then each move, while a promise is still broken. */
async function shorten(
  story: readonly Move[],
  play: (story: readonly Move[]) => Promise<BrokenPromise | undefined>,
): Promise<{ story: readonly Move[]; promise: BrokenPromise }> {
  let left = story
  for (const size of [32, 8, 2, 1])
    for (let at = left.length - size; at >= 0; at -= size) {
      const some = left.toSpliced(at, size)
      if ((await play(some)) !== undefined) left = some
    }
  const promise = await play(left)
  if (promise === undefined) throw new Error('the story is not the same when it is played again')
  return { story: left, promise }
}
