import { DAY, MINUTE } from '../timing.ts'

/** What a pass compares, in this order. */
export const phases = ['events', 'subscriptions', 'slots', 'refunds', 'disputes', 'complete'] as const
export type Phase = (typeof phases)[number]

/** What a pass has looked at, and every difference that it found; `left` of them need a person. */
export interface PassCounts {
  events: number
  subscriptions: number
  slots: number
  refunds: number
  disputes: number
  drift: number
  left: number
}

/**
 * One comparison of everything, kept after each page so that the next run continues it. Written by one run at a time: `rev`
 * grows by one with every write, and a write is conditional on the one that was read. Times are Unix milliseconds.
 */
export interface Pass {
  id: string
  rev: number
  startedAt: number
  phase: Phase
  /** Where the phase continues; absent at its beginning. */
  cursor?: string
  /** The first pass after a restore: a surplus subscription is only reported. */
  adoptOnly: boolean
  counts: PassCounts
  /** When the last complete pass began. */
  lastComplete?: number
  /** Read from a record that was written before a restore: nothing that Stripe did since then is in the records. Never written. */
  restored?: true
}

/** Shorter than a day by less than the time between two runs, so that passes do not begin later every day. */
const EVERY = DAY - 10 * MINUTE

const nothing: PassCounts = { events: 0, subscriptions: 0, slots: 0, refunds: 0, disputes: 0, drift: 0, left: 0 }

/**
 * The pass that this run continues or begins; undefined where the last one is complete and younger than a day. After a restore the first
 * pass to be completed only adopts, whatever is wanted: another would cancel and refund what was bought since the backup.
 */
export function duePass(
  stored: Pass | undefined,
  wanted: { id: string; now: number; begin: boolean; adoptOnly: boolean },
): Pass | undefined {
  const { id, now, begin, adoptOnly } = wanted
  const mustAdopt = stored?.restored || (stored?.adoptOnly && stored.phase !== 'complete')
  if (stored && !stored.restored && !begin && !adoptOnly) {
    if (stored.phase !== 'complete') return stored
    if (now - stored.startedAt < EVERY) return undefined
  }
  const lastComplete = stored?.phase === 'complete' ? stored.startedAt : stored?.lastComplete
  return {
    id,
    rev: stored?.rev ?? 0,
    startedAt: now,
    phase: 'events',
    adoptOnly: adoptOnly || mustAdopt === true,
    counts: nothing,
    ...(lastComplete !== undefined && { lastComplete }),
  }
}

/** What one page came to. */
export interface ComparedPage {
  rows: number
  drift: number
  left: number
  next: string | undefined
}

/** The pass after a page: at the next page of the phase, or at the beginning of the next phase. */
export function afterPage(pass: Pass, page: ComparedPage): Pass {
  const { cursor: _cursor, ...rest } = pass
  const counts = { ...pass.counts, drift: pass.counts.drift + page.drift, left: pass.counts.left + page.left }
  if (pass.phase !== 'complete') counts[pass.phase] += page.rows
  const following = phases[phases.indexOf(pass.phase) + 1] ?? 'complete'
  return {
    ...rest,
    rev: pass.rev + 1,
    counts,
    ...(page.next === undefined ? { phase: following } : { cursor: page.next }),
  }
}

/** How long ago the last complete pass began, in seconds; where there was none, the pass under way. */
export function secondsSinceComplete(pass: Pass, now: number): number {
  const began = pass.phase === 'complete' ? pass.startedAt : (pass.lastComplete ?? pass.startedAt)
  return Math.max(0, Math.round((now - began) / 1000))
}
