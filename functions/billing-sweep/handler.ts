import { type SweepReport, sweep } from '../../lib/billing/sweep.ts'
import { inInvocation } from '../../lib/http/requestScope.ts'
import { sweepDepsFromEnvironment } from '../../lib/runtime/billing.ts'

const deps = await sweepDepsFromEnvironment()

interface Context {
  awsRequestId: string
  getRemainingTimeInMillis(): number
}

/** Every minute: carries on the purchases that nobody repeats. What it throws is the function's failure. */
export function handler(_event: unknown, context: Context): Promise<SweepReport> {
  return inInvocation(context, async () => {
    await deps.clock.sync()
    const report = await sweep(deps, deps.clock.now() + context.getRemainingTimeInMillis())
    const { oldest_seconds: oldestSeconds, ...counts } = report
    deps.logger.info('Pending purchases swept', { ...counts, oldestSeconds })
    return report
  })
}
