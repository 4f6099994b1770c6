import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { Ids } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { type MailOwnersDeps, mailOwners } from '../mailOwners.ts'
import { decideCheck, type ProofAnswer } from './decideCheck.ts'
import { domainLost, domainMissing } from './domainMails.ts'
import { proofNameOf } from './domainName.ts'
import type { DomainChecks, DueCheck, LookUpTxt } from './ports.ts'

export interface CheckDomainsDeps extends MailOwnersDeps {
  readonly checks: DomainChecks
  readonly lookUpTxt: LookUpTxt
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error' | 'info'>
}

/** How many domains a run found proven, missing their record, lost, or without an answer, and how many checks failed. */
export type ChecksReport = Record<'proven' | 'missing' | 'lost' | 'unanswered' | 'failed', number>

/** So many domains are checked at once: slow name servers hold back few others. */
const AT_ONCE = 10

/**
 * Checks the verified domains that are due. If the record is missing, the owners get a mail before that counts, so a
 * domain is never lost without three mails. A failed check is due again in the next run; it stops no other.
 * @param finishBy Unix milliseconds; the next run does what is left
 * @throws CommonError `service_unavailable` if the due domains cannot be listed
 */
export async function checkDomains(deps: CheckDomainsDeps, finishBy: number): Promise<ChecksReport> {
  const { checks, clock, logger } = deps
  const report = { proven: 0, missing: 0, lost: 0, unanswered: 0, failed: 0 }
  const due = await checks.listDue(clock.now())
  const checkNext = async () => {
    for (let next = due.shift(); next !== undefined && clock.now() < finishBy; next = due.shift()) {
      try {
        const outcome = await checkDomain(deps, next)
        if (outcome !== undefined) report[outcome] += 1
      } catch (error) {
        report.failed += 1
        logger.error('Domain not checked', { organizationId: next.organizationId, reason: reasonOf(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext))
  return report
}

/** Undefined if the domain was deleted, or another run was faster. */
async function checkDomain(deps: CheckDomainsDeps, due: DueCheck): Promise<keyof ChecksReport | undefined> {
  const { checks, lookUpTxt, ids, clock, logger } = deps
  const { organizationId, id, name } = due
  const found = await checks.find(due)
  if (found === undefined) return undefined
  const answer = await lookUpTxt(proofNameOf(name))
  const now = clock.now()
  const decision = decideCheck(due, proofIn(answer, found.proof), now)
  if (decision.kind === 'lost') {
    const actor = { type: 'system', id: null } as const
    const entry = { organizationId, id: ids.uuid(), at: now, actor, action: 'domain.lost', target: id } as const
    await mailOwners(deps, organizationId, (look, to) => domainLost(look, { to, organizationId, domain: name }))
    const outcome = await checks.lose(due, { ...entry, detail: { domain: name } })
    if (outcome === 'conflict') return undefined
    logger.info('Domain lost', { organizationId })
    return 'lost'
  }
  if (decision.kind === 'missing') {
    const { lostAt } = decision
    const write = { organizationId, domain: name, lostAt }
    await mailOwners(deps, organizationId, (look, to) => domainMissing(look, { ...write, to }))
  }
  const outcome = await checks.postpone(due, decision.next)
  return outcome === 'conflict' ? undefined : decision.kind
}

function proofIn(answer: Awaited<ReturnType<LookUpTxt>>, proof: string): ProofAnswer {
  if (answer.kind === 'no_answer') return 'no_answer'
  return answer.values.includes(proof) ? 'proven' : 'absent'
}
