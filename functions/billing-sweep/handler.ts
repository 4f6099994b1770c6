import { type SweepReport, sweep } from '../../lib/billing/sweep.ts'
import { sweepDepsFromEnvironment } from '../../lib/runtime/billing.ts'

const deps = await sweepDepsFromEnvironment()

/** Every minute: carries on the purchases that nobody repeats. What it throws is the function's failure. */
export async function handler(_event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<SweepReport> {
  await deps.clock.sync()
  const report = await sweep(deps, deps.clock.now() + context.getRemainingTimeInMillis())
  if (report.pending > 0) deps.logger.info('Pending purchases swept', { ...report })
  return report
}
