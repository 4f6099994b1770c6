import type { OrganizationId } from '../../core/ids.ts'
import { DAY, MINUTE } from '../timing.ts'

/** The phases of a pass, in this order. */
export const phases = ['events', 'subscriptions', 'slots', 'refunds', 'disputes', 'overdue', 'complete'] as const
export type Phase = (typeof phases)[number]

/** How many rows of each phase a pass has compared, and how many differences it found; `left` of them need a person. */
export interface PassCounts {
  events: number
  subscriptions: number
  slots: number
  refunds: number
  disputes: number
  overdue: number
  drift: number
  left: number
}

/** Overdue invoices together. */
export interface OverdueTotal {
  /** ISO 4217 in lower case. */
  currency: string
  /** In the currency's smallest unit. */
  amount: number
  invoices: number
  /** When the first of them was due, Unix seconds. */
  since: number
}

/** What an organization owes that is overdue; `organizationId` is null if it is the sum of several. */
export interface OverdueSum extends OverdueTotal {
  organizationId: OrganizationId | null
}

/**
 * A comparison of everything, stored after each page so that the next run continues there. Every write raises `rev`
 * by 1, and succeeds only if the stored `rev` is still what the run has read: two runs never both write. Times are Unix milliseconds.
 */
export interface Pass {
  id: string
  rev: number
  startedAt: number
  phase: Phase
  /** The cursor of the phase's next page; absent at its beginning. */
  cursor?: string
  /** Set for the first pass after a restore, which only reports surplus subscriptions. */
  adoptOnly: boolean
  counts: PassCounts
  /** One for each organization and currency; complete when the pass is. */
  overdue?: readonly OverdueSum[]
  /** When the last complete pass began. */
  lastComplete?: number
  /** Set if the stored pass is older than a restore: the records lack everything that Stripe did since the backup. Never written. */
  restored?: true
}

/** Slightly shorter than a day: after a whole day, each pass could begin a run (15 minutes) later than the day before. */
const EVERY = DAY - 10 * MINUTE

const nothing: PassCounts = {
  events: 0,
  subscriptions: 0,
  slots: 0,
  refunds: 0,
  disputes: 0,
  overdue: 0,
  drift: 0,
  left: 0,
}

/**
 * The pass that this run continues or begins; undefined if the last pass is complete and younger than a day. After a restore, passes
 * only adopt until one is complete, even if the caller wants otherwise: any other would cancel and refund purchases since the backup.
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

export interface ComparedPage {
  rows: number
  /** The sums up to this page. */
  overdue?: readonly OverdueSum[]
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
    ...(page.overdue && { overdue: page.overdue }),
    ...(page.next === undefined ? { phase: following } : { cursor: page.next }),
  }
}

/** How long ago the last complete pass began, in seconds; if none was ever completed, the pass under way. */
export function secondsSinceComplete(pass: Pass, now: number): number {
  const began = pass.phase === 'complete' ? pass.startedAt : (pass.lastComplete ?? pass.startedAt)
  return Math.max(0, Math.round((now - began) / 1000))
}
