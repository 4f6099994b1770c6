import type { Branding } from '../../core/branding.ts'
import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { type MailBudgetDeps, trySpendMail } from '../../users/mailBudget.ts'
import { type Product, planCodes } from '../catalog.ts'
import { customerOf } from '../customer/customer.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { MoneyMail } from '../slot/moneyMail.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { MINUTE, READ_BUDGET } from '../timing.ts'
import { findExpiringCards } from './expiringCards.ts'
import { groupMails, type MailGroup } from './groupMails.ts'
import type { MoneyMailName, MoneyMails } from './ports.ts'
import { type Recipient, type RecipientDeps, recipientsOf } from './recipientsOf.ts'
import { type MailedFacts, writeMoneyMail } from './writeMoneyMail.ts'

export interface SendMoneyMailsDeps extends RecipientDeps, MailBudgetDeps {
  readonly records: Pick<BillingDeps['records'], 'readAccount'>
  readonly cipher: BillingDeps['cipher']
  readonly clock: Clock
  readonly mails: MoneyMails
  readonly mailer: Pick<Mailer, 'send'>
  readonly logger: Logger
  readonly branding: Branding
  /** `off` if the gateway's own mails say the same: then stored mails are forgotten. */
  readonly setting: 'on' | 'off'
}

/** How many stored mails a run sent, gave up, and left for a later run. */
export interface MoneyMailReport {
  sent: number
  dropped: number
  failed: number
}

/** How long a claim lasts: longer than a run. */
const CLAIM = 10 * MINUTE

/** When a mail that was not sent is tried again, after each attempt. After the last attempt it is dropped. */
const RETRIES = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE)

/** A claimed mail, and how often it was tried. */
interface Claimed {
  readonly mail: MoneyMail
  readonly attempts: number
}

/** What the mails of an organization need. */
interface Addressed {
  readonly account: BillingAccount
  readonly customerId: string | undefined
  readonly recipients: readonly Recipient[]
  readonly nameOf: (product: Product) => string
}

/**
 * Sends the mails of money that are due, each once. What happened to an organization since the last run is one mail for each kind. If a run
 * is cut off between claiming a mail and noting the result, the mail is dropped. If a mail was not accepted, a later run tries it again, five
 * times in all.
 * @param finishBy Unix milliseconds; a later run does what is left
 * @throws CommonError `service_unavailable` if the due mails cannot be listed
 */
export async function sendMoneyMails(deps: SendMoneyMailsDeps, finishBy: number): Promise<MoneyMailReport> {
  const report = { sent: 0, dropped: 0, failed: 0 }
  const due = await deps.mails.listDue(deps.clock.now())
  for (const [organizationId, names] of Map.groupBy(due, (name) => name.organizationId)) {
    if (deps.clock.now() >= finishBy) break
    await sendOf(deps, organizationId, names, report)
  }
  return report
}

/** Never throws: a failure is logged, and leaves what was not sent to a later run. */
async function sendOf(
  deps: SendMoneyMailsDeps,
  organizationId: OrganizationId,
  names: readonly MoneyMailName[],
  report: MoneyMailReport,
): Promise<void> {
  let unsent: readonly Claimed[] = []
  try {
    for (const name of names) unsent = [...unsent, ...(await claim(deps, name, report))]
    if (unsent.length === 0) return
    const addressed = await address(deps, organizationId)
    for (const group of groupMails(unsent)) {
      if (addressed) await sendGroup(deps, addressed, group)
      unsent = unsent.filter((each) => !group.stored.includes(each))
      for (const { mail } of group.stored) await forget(deps, mail)
      report.sent += group.stored.length
    }
  } catch (error) {
    for (const each of unsent) await postpone(deps, each, error, report)
  }
}

/** Never throws. A sent mail that is not forgotten stays claimed: it is not sent again, and dropped when the claim has ended. */
async function forget({ mails, logger }: SendMoneyMailsDeps, mail: MoneyMail): Promise<void> {
  try {
    await mails.remove(mail)
  } catch (error) {
    logger.error('Mail not sent', { reason: reasonOf(error) })
  }
}

/** The mail, if this run may send it. */
async function claim(deps: SendMoneyMailsDeps, name: MoneyMailName, report: MoneyMailReport): Promise<Claimed[]> {
  if (deps.setting === 'off') {
    await deps.mails.remove(name)
    return []
  }
  const now = deps.clock.now()
  const result = await deps.mails.claim(name, { now, until: now + CLAIM })
  if (result.kind === 'claimed') return [result]
  if (result.kind === 'cut_off') await drop(deps, result.mail, 'a run was cut off while it sent it', report)
  return []
}

/** Undefined if the organization is gone. */
async function address(deps: SendMoneyMailsDeps, organizationId: OrganizationId): Promise<Addressed | undefined> {
  const account = await deps.records.readAccount(organizationId)
  if (!account) return undefined
  const answerBy = deps.clock.now() + READ_BUDGET
  const customerId = account.customer && requireOk(await customerOf(deps, organizationId, account.customer))
  const recipients = await recipientsOf(deps, account, customerId, answerBy)
  const prices = requireOk(await gatewayOf(deps.gateways, account).catalog.prices({ answerBy }))
  const nameOf = (product: Product) => prices.get(planCodes[product])?.offer?.name ?? product
  return { account, customerId, recipients, nameOf }
}

/** Sends a mail to each recipient. Throws if none was accepted: then it is certainly worth another try. */
async function sendGroup(deps: SendMoneyMailsDeps, to: Addressed, { what }: MailGroup<Claimed>): Promise<void> {
  const { account, recipients, nameOf } = to
  const mailed = await completed(deps, to, what)
  if (mailed === undefined || recipients.length === 0) return
  const { organizationId: id, name } = account
  const budget = await trySpendMail(deps, { kind: 'money_by_organization', subject: id })
  if (budget.kind === 'used_up') return deps.logger.info('Mails to others not sent', { organizationId: id })
  const { branding, mailer } = deps
  const results = await Promise.allSettled(
    recipients.map(({ to: address, language }) =>
      mailer.send(writeMoneyMail({ branding, language }, mailed, { to: address, organization: { id, name }, nameOf })),
    ),
  )
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []))
  if (failures.length === results.length) throw new Error(failures[0])
  for (const reason of failures) deps.logger.error('Mail not sent', { reason })
}

/** With the cards that expire; undefined if they were replaced. */
async function completed(
  deps: SendMoneyMailsDeps,
  { account, customerId }: Addressed,
  what: MailGroup<Claimed>['what'],
): Promise<MailedFacts | undefined> {
  if (what.kind !== 'card_expiring') return what
  if (customerId === undefined) return undefined
  const answerBy = deps.clock.now() + READ_BUDGET
  const cards = await findExpiringCards(gatewayOf(deps.gateways, account), customerId, what.month, answerBy)
  return cards.length > 0 ? { ...what, cards } : undefined
}

/** Leaves a mail that was not sent to a later run, or drops it after the last attempt. */
async function postpone(
  deps: SendMoneyMailsDeps,
  { mail, attempts }: Claimed,
  error: unknown,
  report: MoneyMailReport,
): Promise<void> {
  const wait = RETRIES[attempts - 1]
  try {
    if (wait === undefined) return await drop(deps, mail, reasonOf(error), report)
    report.failed += 1
    deps.logger.error('Mail not sent', { reason: reasonOf(error) })
    await deps.mails.release(mail, deps.clock.now() + wait)
  } catch (failure) {
    // It stays claimed. When the claim has ended, it is dropped.
    deps.logger.error('Mail not sent', { reason: reasonOf(failure) })
  }
}

async function drop(deps: SendMoneyMailsDeps, mail: MoneyMail, reason: string, report: MoneyMailReport): Promise<void> {
  const { organizationId, fact } = mail
  await deps.mails.remove(mail)
  report.dropped += 1
  deps.logger.error('Money mail dropped', { organizationId, kind: fact.kind, reason })
}
