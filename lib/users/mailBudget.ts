import type { Clock } from '../core/clock.ts'
import { emailKey } from './emailKey.ts'
import { TooManyAttemptsError } from './errors.ts'
import type { MailBudgets, MailSubject } from './ports.ts'

/** How many mails a subject gets at once, and how long it takes until there is one more. */
export interface MailBudget {
  readonly burst: number
  readonly everySeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * Every purpose has a budget of its own: what a stranger uses up of one leaves the others. A recipient whose resets are used up has a mail
 * that is at most 20 minutes old, with a link that is valid for an hour: an owner can always reset the password.
 */
export const mailBudgets: Readonly<Record<MailSubject['kind'], MailBudget>> = {
  registration: { burst: 10, everySeconds: 20 * MINUTE },
  verification: { burst: 10, everySeconds: 20 * MINUTE },
  reset: { burst: 10, everySeconds: 20 * MINUTE },
  email_change: { burst: 10, everySeconds: 20 * MINUTE },
  /** Of a user, to whatever addresses. */
  email_change_by_user: { burst: 10, everySeconds: 6 * HOUR },
  /** To one address, from whatever organizations. */
  invitation: { burst: 10, everySeconds: 6 * HOUR },
  /** From one organization: about 200 on the first day, and 96 on each one after. */
  invitation_by_organization: { burst: 100, everySeconds: 15 * MINUTE },
  /** Of a user, in whatever organizations: making another one does not make another budget. */
  invitation_by_user: { burst: 100, everySeconds: 15 * MINUTE },
  /** Of what a user changes of the own second factors: a change waits for its mail. */
  authenticator_change: { burst: 50, everySeconds: 10 * MINUTE },
  /** An office may share an address. */
  source_ip: { burst: 100, everySeconds: 30 },
}

/** The clocks of two functions differ by less. */
const SKEW_MS = 2000

/**
 * The latest time at which a budget may be full again, in Unix milliseconds, to have one more mail at `now`. A budget fills with time alone,
 * whatever is refused meanwhile, and a refusal costs nothing.
 */
export function latestFull({ burst, everySeconds }: MailBudget, now: number): number {
  return now + (burst - 1) * everySeconds * 1000 + SKEW_MS
}

/**
 * When a budget is full again after one more mail at `now`; undefined where it is used up. The store decides the same in one conditional
 * write.
 * @param fullAt when it is full, in Unix milliseconds; any time in the past if it is
 */
export function fullAfterOneMore(budget: MailBudget, fullAt: number, now: number): number | undefined {
  return fullAt <= latestFull(budget, now) ? Math.max(fullAt, now) + budget.everySeconds * 1000 : undefined
}

/** Seconds until a budget that is used up has one more mail, at least 1. */
function waitFor(budget: MailBudget, fullAt: number, now: number): number {
  return Math.max(1, Math.ceil((fullAt - latestFull(budget, now)) / 1000))
}

export interface MailBudgetDeps {
  readonly mailBudgets: MailBudgets
  readonly clock: Clock
}

/**
 * Spends one mail for each subject, in order, before it is sent, so that concurrent requests count too.
 * @throws TooManyAttemptsError where a budget is used up; CommonError `service_unavailable`
 */
export async function spendMail(deps: MailBudgetDeps, subjects: readonly MailSubject[]): Promise<void> {
  for (const subject of subjects) {
    const now = deps.clock.now()
    const budget = mailBudgets[subject.kind]
    const everyMs = budget.everySeconds * 1000
    const outcome = await deps.mailBudgets.spend(subject, { everyMs, latestFull: latestFull(budget, now), now })
    if (outcome !== 'spent') throw new TooManyAttemptsError({ retryAfterSeconds: waitFor(budget, outcome.fullAt, now) })
  }
}

/**
 * Spends a mail that anyone can ask for: of its source IP, and of its recipient for this purpose, known or not.
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
