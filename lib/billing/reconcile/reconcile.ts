import { reasonOf } from '../../core/errors.ts'
import type { Drift } from './drift.ts'
import { dryRunPasses } from './dryRunPasses.ts'
import {
  afterPage,
  type ComparedPage,
  duePass,
  type Pass,
  type PassCounts,
  type Phase,
  secondsSinceComplete,
} from './pass.ts'
import type { ComparedRows, PassContext, ReconcileDeps } from './passContext.ts'
import { deliverEvents } from './reconcileEvents.ts'
import { compareDisputes, compareRefunds } from './reconcileMoney.ts'
import { compareSlots } from './reconcileSlots.ts'
import { compareSubscriptions } from './reconcileSubscriptions.ts'

export interface ReconcileOptions {
  /** Unix milliseconds; a page that may not fit is left for the next run. */
  readonly finishBy: number
  /** Reports what would be done, and writes nothing, the pass included: it always begins at the beginning. */
  readonly dryRun?: boolean
  /** Begins a new pass whatever the last one's age, and gives up one that is under way. */
  readonly begin?: boolean
  /** Begins a pass for the time after a restore, which removes no surplus subscription. */
  readonly adoptOnly?: boolean
}

/** `interrupted`: a page failed, or another run was faster; the next run tries it again. */
type ReconcileState = 'not due' | 'complete' | 'continues' | 'interrupted'

/** What this run found, and what its pass has looked at so far. */
export interface Reconciliation {
  state: ReconcileState
  counts: PassCounts | undefined
  /** The first of this run's differences; every one is a line of the log. */
  drift: Drift[]
}

/** How many differences an answer lists, so that a run's memory is bounded. */
const LISTED = 1000

/** How long a page may take, in milliseconds: one that could not end in time is not begun. */
const PAGE = 60_000

const comparisons: Readonly<Record<Exclude<Phase, 'complete'>, (context: PassContext) => Promise<ComparedRows>>> = {
  events: deliverEvents,
  subscriptions: compareSubscriptions,
  slots: compareSlots,
  refunds: compareRefunds,
  disputes: compareDisputes,
}

/**
 * Compares the record with everything at the gateway, page by page, and repairs what a rule covers; the rest is reported. The
 * place of the pass is written after every page, so that a run that ends early, or fails, is continued by the next one.
 * Throws nothing: a page that fails is a line of the log.
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<Reconciliation> {
  const { finishBy, dryRun = false, begin = false, adoptOnly = false } = options
  const context = { ...deps, dryRun, ...(dryRun && { passes: dryRunPasses(deps.passes) }) }
  const drift: Drift[] = []
  const wanted = { id: deps.ids.uuid(), now: deps.clock.now(), begin, adoptOnly }
  let pass: Pass | undefined
  try {
    pass = duePass(await context.passes.readPass(), wanted)
    if (pass === undefined) return { state: 'not due', counts: undefined, drift }
    while (pass.phase !== 'complete') {
      if (deps.clock.now() + PAGE > finishBy) return { state: 'continues', counts: pass.counts, drift }
      const next = afterPage(pass, await comparePage(context, pass, pass.phase, drift))
      if (!(await context.passes.writePass(next))) return { state: 'interrupted', counts: pass.counts, drift }
      pass = next
    }
  } catch (error) {
    deps.logger.error('Page not compared', { phase: pass?.phase, reason: reasonOf(error) })
    return { state: 'interrupted', counts: pass?.counts, drift }
  } finally {
    if (pass && !dryRun) deps.logger.info('Reconciliation ran', { age: secondsSinceComplete(pass, deps.clock.now()) })
  }
  deps.logger.info('Reconciled with the gateway', pass.counts)
  return { state: 'complete', counts: pass.counts, drift }
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
    // A dry run repairs nothing; what no rule covers is left by any run.
    if (context.dryRun ? drift.remedy === 'report' : !drift.done) counts.left += 1
    if (listed.length < LISTED) listed.push(drift)
    log(context, drift)
  }
  const { rows, next } = await comparisons[phase]({ ...context, pass, report })
  return { rows, next, ...counts }
}

function log({ logger }: ReconcileDeps, { organizationId, product, subscriptionId, ...difference }: Drift): void {
  logger.warn('Drift', {
    ...difference,
    organizationId: organizationId ?? undefined,
    product: product ?? undefined,
    subscriptionId: subscriptionId ?? undefined,
  })
}
