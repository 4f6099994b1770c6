import type * as z from 'zod/mini'
import { sweep } from '../../lib/billing/checkout/sweep.ts'
import { SWEEP_TIME } from '../../lib/billing/timing.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { sweepDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { stripeSecretKey } from '../../lib/runtime/secrets.ts'
import { contract } from './contract.ts'

const [deps, stripeKey] = [await sweepDepsFromEnvironment(), stripeSecretKey()]

/** Every minute: settles pending purchases that no request repeats. If they cannot be listed, it throws, and the invocation fails. */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    if (contract.event.parse(event).release_check) return passCheck(stripeKey.current(), deps.slots.listPending())
    await deps.clock.sync()
    const time = Math.min(SWEEP_TIME, context.getRemainingTimeInMillis())
    const report = await sweep(deps, deps.clock.now() + time)
    deps.logger.info('Pending purchases swept', report)
    const { oldestSeconds, ...counts } = report
    return { ...counts, oldest_seconds: oldestSeconds }
  })
}
