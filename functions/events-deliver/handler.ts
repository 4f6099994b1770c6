import type * as z from 'zod/mini'
import { runDeliveries } from '../../lib/events/delivery/runDeliveries.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { toBatchReport } from '../../lib/http/endpoint/streamBatch.ts'
import { deliverDepsFromEnvironment } from '../../lib/runtime/events.ts'
import { contract } from './contract.ts'

const deps = deliverDepsFromEnvironment()

/** When less time than this is left, no attempt is begun: it takes 10 s, and is stored after that; milliseconds. */
const LAST_ATTEMPT = 13_000

/** At once, by the stream, and every minute, for what is due again: sends events to endpoints. What the stream's batch could not do comes again. */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { release_check: isCheck, Records: records } = contract.event.parse(event)
    const { queue, clock, logger, nameOf } = deps
    await clock.sync()
    const now = clock.now()
    if (isCheck) return passCheck(queue.listDue(now))
    const finishBy = now + context.getRemainingTimeInMillis() - LAST_ATTEMPT
    if (records === undefined) {
      const { delivered, failed } = await runDeliveries(deps, await queue.listDue(now), {
        source: 'schedule',
        finishBy,
      })
      if (delivered + failed > 0) logger.info('Deliveries made', { delivered, failed })
      return { delivered, failed }
    }
    const items = records.map(
      ({
        dynamodb: {
          SequenceNumber: sequence,
          NewImage: { pk, sk, owner },
        },
      }) => ({
        sequence,
        name: nameOf({ pk: pk.S, sk: sk.S, owner: owner.S }),
      }),
    )
    const names = items.map(({ name }) => name)
    const { unserved } = await runDeliveries(deps, names, { source: 'stream', finishBy })
    const left = new Set(unserved.map(({ id }) => id))
    const failures = items.filter(({ name: { id } }) => left.has(id))
    return toBatchReport(failures.map(({ sequence }) => sequence))
  })
}
