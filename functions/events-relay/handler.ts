import type * as z from 'zod/mini'
import { relayBatch, relayWaiting } from '../../lib/events/relay/relayRuns.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { toBatchReport } from '../../lib/http/endpoint/streamBatch.ts'
import { relayDepsFromEnvironment } from '../../lib/runtime/events.ts'
import { contract } from './contract.ts'

const deps = relayDepsFromEnvironment()

/** When less time than this is left, the events of no other organization are begun; milliseconds. */
const LAST_ORGANIZATION = 10_000

/**
 * At once, by the stream, and every minute, for what the stream did not bring: numbers the events that wait, and makes their deliveries. What the
 * stream's batch could not do comes again.
 */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { release_check: isCheck, Records: records } = contract.event.parse(event)
    await deps.clock.sync()
    const now = deps.clock.now()
    if (isCheck) return passCheck(deps.outbox.listWaiting(now))
    const finishBy = now + context.getRemainingTimeInMillis() - LAST_ORGANIZATION
    if (records === undefined) return relayWaiting(deps, finishBy)
    const items = records.map(({ dynamodb: { SequenceNumber: id, Keys } }) => ({
      id,
      organizationId: deps.organizationOf(Keys.pk.S),
    }))
    const failed = await relayBatch(deps, items, finishBy)
    return toBatchReport(failed.map(({ id }) => id))
  })
}
