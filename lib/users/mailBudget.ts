import type { Clock } from '../core/clock.ts'
import { reasonOf } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { notify } from '../mail/notify.ts'
import { emailKey } from './emailKey.ts'
import { TooManyAttemptsError } from './errors.ts'
import type { MailBudgets, MailSubject } from './ports.ts'

/** How many mails a subject gets at once, and how long it waits for each further mail. */
export interface MailBudget {
  readonly burst: number
  readonly everySeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * Every purpose has its own budget, so a stranger who uses up one budget leaves the others intact. If the resets of a recipient are used
 * up, the newest mail is at most 20 minutes old and its link is valid for an hour: the owner can always reset the password.
 */
export const mailBudgets: Readonly<Record<MailSubject['kind'], MailBudget>> = {
  registration: { burst: 10, everySeconds: 20 * MINUTE },
  verification: { burst: 10, everySeconds: 20 * MINUTE },
  reset: { burst: 10, everySeconds: 20 * MINUTE },
  email_change: { burst: 10, everySeconds: 20 * MINUTE },
  /** Per user, to any addresses. */
  email_change_by_user: { burst: 10, everySeconds: 6 * HOUR },
  /** Per address, from any organizations. Once it is used up, the mail is dropped and the invitation kept. */
  invitation: { burst: 10, everySeconds: 6 * HOUR },
  /** Per organization and address. */
  invitation_by_organization_to_address: { burst: 10, everySeconds: 6 * HOUR },
  /** Per organization: about 200 mails on the first day, then 96 a day. */
  invitation_by_organization: { burst: 100, everySeconds: 15 * MINUTE },
  /** Per user, in all organizations: creating another organization does not give another budget. */
  invitation_by_user: { burst: 100, everySeconds: 15 * MINUTE },
  /** Per user who changes second factors: each change needs a mail. */
  authenticator_change: { burst: 50, everySeconds: 10 * MINUTE },
  /** Per user whose password someone knows: one in 24 hours. */
  second_step_failed: { burst: 1, everySeconds: 24 * HOUR },
  /** Per user: a mail that asks to confirm the removal of lost factors. */
  factor_reset: { burst: 5, everySeconds: 4 * HOUR },
  /**
   * Per user, to other people about what the user does, invitations aside: changes of power, API clients, deletions, lost factors. 8 at once,
   * then 8 a day.
   */
  others_by_user: { burst: 8, everySeconds: 3 * HOUR },
  /**
   * Per organization, about its money: anyone who may buy for it can enter any billing address, and cancel and resume at will. When it is used
   * up, the mails are dropped.
   */
  money_by_organization: { burst: 20, everySeconds: 2 * HOUR },
  /** Per user who signs in in new browsers: who knows the password can make any number of them. */
  new_sign_in: { burst: 10, everySeconds: 2 * HOUR },
  /** Per source IP, which an office may share. */
  source_ip: { burst: 100, everySeconds: 30 },
}

/** The clocks of two functions differ by less than this. */
const SKEW_MS = 2000

/**
 * The latest time at which a budget may be full again, in Unix milliseconds, if a mail is to be allowed at `now`. A budget refills with
 * time only; a refusal costs nothing.
 */
export function latestFull({ burst, everySeconds }: MailBudget, now: number): number {
  return now + (burst - 1) * everySeconds * 1000 + SKEW_MS
}

/**
 * When a budget is full again after another mail at `now`; undefined if it is used up. The store makes the same decision in one conditional
 * write.
 * @param fullAt when it is full, in Unix milliseconds; any time in the past if it is full
 */
export function fullAfterOneMore(budget: MailBudget, fullAt: number, now: number): number | undefined {
  return fullAt <= latestFull(budget, now) ? Math.max(fullAt, now) + budget.everySeconds * 1000 : undefined
}

/** Seconds until a used-up budget allows a mail, at least 1. */
function waitFor(budget: MailBudget, fullAt: number, now: number): number {
  return Math.max(1, Math.ceil((fullAt - latestFull(budget, now)) / 1000))
}

export interface MailBudgetDeps {
  readonly mailBudgets: MailBudgets
  readonly clock: Clock
}

/**
 * Spends a mail for each subject, in order, before it is sent, so concurrent requests count too.
 * @throws TooManyAttemptsError if a budget is used up; CommonError `service_unavailable`
 */
export async function spendMail(deps: MailBudgetDeps, subjects: readonly MailSubject[]): Promise<void> {
  for (const subject of subjects) {
    const outcome = await trySpendMail(deps, subject)
    if (outcome.kind === 'used_up') throw new TooManyAttemptsError(outcome)
  }
}

/** Whether a mail may be sent, or the seconds until the next. */
type SpendOutcome = { kind: 'spent' } | { kind: 'used_up'; retryAfterSeconds: number }

/**
 * Spends a mail, for senders that drop it when the budget is used up.
 * @throws CommonError `service_unavailable`
 */
export async function trySpendMail(deps: MailBudgetDeps, subject: MailSubject): Promise<SpendOutcome> {
  const now = deps.clock.now()
  const budget = mailBudgets[subject.kind]
  const everyMs = budget.everySeconds * 1000
  const outcome = await deps.mailBudgets.spend(subject, { everyMs, latestFull: latestFull(budget, now), now })
  if (outcome === 'spent') return { kind: 'spent' }
  return { kind: 'used_up', retryAfterSeconds: waitFor(budget, outcome.fullAt, now) }
}

/**
 * Spends a mail that anyone can request: for its source IP, and for its recipient and purpose, whether the address is known or not.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function spendAnonymousMail(
  deps: MailBudgetDeps,
  kind: 'registration' | 'verification' | 'reset',
  to: { email: string; sourceIp: string },
): Promise<void> {
  return spendMail(deps, [
    { kind: 'source_ip', subject: to.sourceIp },
    { kind, subject: emailKey(to.email) },
  ])
}

/**
 * Sends mails to other people about what a user did, in order, until the user's budget of such mails is used up. Never throws: the change is
 * made, and what is not sent is logged.
 */
export async function notifyOthers(
  deps: MailBudgetDeps & { readonly mailer: Pick<Mailer, 'send'>; readonly logger: Pick<Logger, 'info' | 'error'> },
  by: UserId,
  mails: Promise<readonly Mail[]>,
): Promise<void> {
  try {
    for (const mail of await mails) {
      await spendMail(deps, [{ kind: 'others_by_user', subject: by }])
      await notify(deps, mail)
    }
  } catch (error) {
    if (error instanceof TooManyAttemptsError) deps.logger.info('Mails to others not sent', { userId: by })
    else deps.logger.error('Mail not sent', { reason: reasonOf(error) })
  }
}
