import type * as z from 'zod/mini'
import { takeResetSteps } from '../../lib/authenticators/recovery/takeResetSteps.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { takeResetStepsDepsFromEnvironment } from '../../lib/runtime/signIn.ts'
import { contract } from './contract.ts'

const deps = takeResetStepsDepsFromEnvironment()

/** When less time than this is left, no other step is begun; milliseconds. */
const LAST_STEP = 10_000

/**
 * Every minute: mails users before their lost second factors are removed, and removes them when the wait is over. If a step fails, it still
 * takes all others, then throws; the step is due again in a minute.
 */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { clock, steps } = deps
    const isCheck = contract.event.parse(event).release_check
    await clock.sync()
    if (isCheck) return passCheck(steps.list(clock.now()))
    const finishBy = clock.now() + context.getRemainingTimeInMillis() - LAST_STEP
    const { reminded, erased, failed } = await takeResetSteps(deps, finishBy)
    if (failed > 0) throw new Error('a step of a removal failed')
    return { reminded, removed: erased }
  })
}
