import type * as z from 'zod/mini'
import type { ErasureReport } from '../../lib/core/eraseDue.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { eraseOrganizations } from '../../lib/organizations/deletion/eraseOrganizations.ts'
import { deleteAccountDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { eraseOrganizationsDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { stripeSecretKey } from '../../lib/runtime/secrets.ts'
import { eraseAccounts } from '../../lib/users/deletion/eraseAccounts.ts'
import { contract } from './contract.ts'

const [accounts, organizations] = [deleteAccountDepsFromEnvironment(), await eraseOrganizationsDepsFromEnvironment()]
const stripeKey = stripeSecretKey()

/** When less time than this is left, no other step is begun; milliseconds. */
const LAST_STEP = 60_000

/**
 * Once a day: reminds of deletions, and erases organizations and then accounts when their time has come. If a step fails, it still takes
 * all others, then throws, and the invocation fails; the step is due again tomorrow.
 */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { clock, logger } = accounts
    const isCheck = contract.event.parse(event).release_check
    await clock.sync()
    if (isCheck) {
      const due = [organizations, accounts].map(({ deletions }) => deletions.listDue(clock.now()))
      return passCheck(stripeKey.current(), ...due)
    }
    const finishBy = clock.now() + context.getRemainingTimeInMillis() - LAST_STEP
    const ofOrganizations = await eraseOrganizations(organizations, finishBy)
    logger.info('Deletions of organizations ran', ofOrganizations)
    const ofAccounts = await eraseAccounts(accounts, finishBy)
    logger.info('Deletions of accounts ran', ofAccounts)
    if (ofOrganizations.failed + ofAccounts.failed > 0) throw new Error('a deletion failed')
    return { organizations: toCounts(ofOrganizations), accounts: toCounts(ofAccounts) }
  })
}

function toCounts({ reminded, erased }: ErasureReport) {
  return { reminded, erased }
}
