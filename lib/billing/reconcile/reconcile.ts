import { toRfc3339 } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import { productCode } from '../slot/slot.ts'
import type { Drift } from './drift.ts'
import { sumOverdue, totalsOf } from './overdue.ts'
import {
  afterPage,
  type ComparedPage,
  duePass,
  type OverdueSum,
  type OverdueTotal,
  type Pass,
  type PassCounts,
  type Phase,
  secondsSinceComplete,
} from './pass.ts'
import type { ComparedRows, PassContext, PassRecords, ReconcileDeps } from './passContext.ts'
import { deliverEvents } from './reconcileEvents.ts'
import { compareDisputes, compareRefunds } from './reconcileMoney.ts'
import { compareSlots } from './reconcileSlots.ts'
import { compareSubscriptions } from './reconcileSubscriptions.ts'

export interface ReconcileOptions {
  /** Unix milliseconds. If a page might not end by then, it is left for the next run. */
  readonly finishBy: number
  /** Reports the remedies and writes nothing. The pass is not stored either: a dry run always starts at the beginning. */
  readonly dryRun?: boolean
  /** Begins a new pass even if none is due, and gives up the pass under way. */
  readonly begin?: boolean
  /** Begins the pass to run after a restore; it removes no surplus subscription. */
  readonly adoptOnly?: boolean
}

/** `interrupted` if a page failed or another run was faster; the next run tries it again. */
type ReconcileState = 'not due' | 'complete' | 'continues' | 'interrupted'

export interface Reconciliation {
  state: ReconcileState
  counts: PassCounts | undefined
  /** The first 1,000 differences of this run; the log has a line for each difference. */
  drift: Drift[]
  /** What organizations owe that is overdue; empty until the pass is complete. */
  overdue: readonly OverdueSum[]
}

/** How many differences an answer lists. It bounds the memory of a run. */
const LISTED = 1000

/** How long a page may take, in milliseconds. If less time is left, the run does not begin another page. */
const PAGE = 60_000

const comparisons: Readonly<Record<Exclude<Phase, 'complete'>, (context: PassContext) => Promise<ComparedRows>>> = {
  events: deliverEvents,
  subscriptions: compareSubscriptions,
  slots: compareSlots,
  refunds: compareRefunds,
  disputes: compareDisputes,
  overdue: sumOverdue,
}

/**
 * Compares the record with everything at the gateway, page by page. If a rule covers a difference, it is repaired, otherwise reported.
 * The progress is stored after every page; the next run continues there.
 * Never throws: if a page fails, a line of the log says why.
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<Reconciliation> {
  const { finishBy, dryRun = false, begin = false, adoptOnly = false } = options
  const context = { ...deps, dryRun, ...(dryRun && { passes: dryRunPasses(deps.passes) }) }
  const drift: Drift[] = []
  const found = { drift, overdue: [] }
  const wanted = { id: deps.ids.uuid(), now: deps.clock.now(), begin, adoptOnly }
  let pass: Pass | undefined
  try {
    pass = duePass(await context.passes.readPass(), wanted)
    if (pass === undefined) return { state: 'not due', counts: undefined, ...found }
    while (pass.phase !== 'complete') {
      if (deps.clock.now() + PAGE > finishBy) return { state: 'continues', counts: pass.counts, ...found }
      const next = afterPage(pass, await comparePage(context, pass, pass.phase, drift))
      if (!(await context.passes.writePass(next))) return { state: 'interrupted', counts: pass.counts, ...found }
      pass = next
    }
  } catch (error) {
    deps.logger.error('Page not compared', { phase: pass?.phase, reason: reasonOf(error) })
    return { state: 'interrupted', counts: pass?.counts, ...found }
  } finally {
    if (pass && !dryRun) deps.logger.info('Reconciliation ran', { age: secondsSinceComplete(pass, deps.clock.now()) })
  }
  const { counts, overdue = [] } = pass
  logOverdue(deps, overdue)
  deps.logger.info('Reconciled with the gateway', counts)
  return { state: 'complete', counts, drift, overdue }
}

async function comparePage(
  context: ReconcileDeps & { dryRun: boolean },
  pass: Pass,
  phase: Exclude<Phase, 'complete'>,
  listed: Drift[],
): Promise<ComparedPage> {
  const counts = { drift: 0, left: 0 }
  const report = (drift: Drift) => {
    counts.drift += 1
    // A dry run repairs nothing: count only what a real run would leave too, because no rule covers it.
    if (context.dryRun ? drift.remedy === 'report' : !drift.done) counts.left += 1
    if (listed.length < LISTED) listed.push(drift)
    log(context, drift)
  }
  const { rows, next, overdue } = await comparisons[phase]({ ...context, pass, report })
  return { rows, next, ...counts, ...(overdue && { overdue }) }
}

function logOverdue({ logger }: ReconcileDeps, overdue: readonly OverdueSum[]): void {
  const toFields = ({ since, ...sum }: OverdueTotal) => ({ ...sum, since: toRfc3339(since * 1000) })
  for (const { organizationId, ...sum } of overdue)
    logger.info('Invoices overdue', { ...toFields(sum), organizationId: organizationId ?? undefined })
  for (const total of totalsOf(overdue)) logger.info('Invoices overdue in all', toFields(total))
}

function log({ logger }: ReconcileDeps, { organizationId, product, subscriptionId, ...difference }: Drift): void {
  logger.warn('Drift', {
    ...difference,
    organizationId: organizationId ?? undefined,
    product: product ?? undefined,
    subscriptionId: subscriptionId ?? undefined,
  })
}

/** Pass records for a dry run: it reads the stored slots, writes nothing, and keeps its marks in memory. */
function dryRunPasses(passes: PassRecords): PassRecords {
  const seen = new Set<string>()
  return {
    readPass: async () => undefined,
    writePass: async () => true,
    readSlots: (names) => passes.readSlots(names),
    async markSeen(slot) {
      seen.add(productCode(slot))
    },
    noteExpiringCard: async () => {},
    async listHeld(passId, cursor) {
      const page = await passes.listHeld(passId, cursor)
      return { ...page, rows: page.rows.map((row) => ({ ...row, seen: seen.has(productCode(row.slot)) })) }
    },
  }
}
