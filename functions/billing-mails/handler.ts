import type * as z from 'zod/mini'
import { sendMoneyMails } from '../../lib/billing/mails/sendMoneyMails.ts'
import { mailNotices } from '../../lib/events/notices/mailNotices.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { moneyMailDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { stripeSecretKey } from '../../lib/runtime/secrets.ts'
import { contract } from './contract.ts'

const [deps, stripeKey] = [await moneyMailDepsFromEnvironment(), stripeSecretKey()]

/** When less time than this is left, the mails of no other organization are begun; milliseconds. */
const LAST_ORGANIZATION = 25_000

/** Every minute: sends the mails about money, and about disabled endpoints, that were stored with what they are about. */
export function handler(event: unknown, context: InvocationContext): Promise<z.output<typeof contract.report>> {
  return inInvocation(context, async () => {
    const { clock, mails, logger } = deps
    const isCheck = contract.event.parse(event).release_check
    await clock.sync()
    if (isCheck) return passCheck(stripeKey.current(), mails.listDue(clock.now()))
    const finishBy = clock.now() + context.getRemainingTimeInMillis() - LAST_ORGANIZATION
    const report = await sendMoneyMails(deps, finishBy)
    await mailNotices(deps, finishBy)
    if (report.sent + report.dropped + report.failed > 0) logger.info('Money mails sent', { ...report })
    return report
  })
}
