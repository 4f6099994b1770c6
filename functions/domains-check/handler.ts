import type * as z from 'zod/mini'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { checkDomains } from '../../lib/organizations/domains/checkDomains.ts'
import { checkDomainsDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { contract } from './contract.ts'

const deps = checkDomainsDepsFromEnvironment()

/** When less time than this is left, no other domain is looked up; milliseconds. */
const LAST_CHECK = 30_000

/**
 * Once a day: checks the verified domains that were not checked for a week. If a check fails, it still makes all others, then throws; the check
 * is due again tomorrow.
 */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { clock, checks, logger } = deps
    const isCheck = contract.event.parse(event).release_check
    await clock.sync()
    if (isCheck) return passCheck(checks.listDue(clock.now()))
    const finishBy = clock.now() + context.getRemainingTimeInMillis() - LAST_CHECK
    const report = await checkDomains(deps, finishBy)
    logger.info('Domains checked', report)
    const { failed, ...checked } = report
    if (failed > 0) throw new Error('a check of a domain failed')
    return checked
  })
}
