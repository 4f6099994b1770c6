import type * as z from 'zod'
import { inInvocation } from '../../lib/http/requestScope.ts'
import { deleteAccountDepsFromEnvironment } from '../../lib/runtime/accountDeletionMails.ts'
import { eraseAccounts } from '../../lib/users/eraseAccounts.ts'
import type { contract } from './contract.ts'

const deps = deleteAccountDepsFromEnvironment()

/** Time for the step under way when no other is begun, in milliseconds. */
const LAST_STEP = 30_000

interface Context {
  awsRequestId: string
  getRemainingTimeInMillis(): number
}

/**
 * Once a day: reminds of deletions, and erases the accounts whose time has come. Throws, and so fails the invocation, where a step
 * failed, after all others were taken: it is due again tomorrow.
 */
export function handler(_event: unknown, context: Context): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    await deps.clock.sync()
    const finishBy = deps.clock.now() + context.getRemainingTimeInMillis() - LAST_STEP
    const report = await eraseAccounts(deps, finishBy)
    deps.logger.info('Deletions ran', report)
    if (report.failed > 0) throw new Error('a deletion failed')
    const { reminded, erased } = report
    return { reminded, erased }
  })
}
