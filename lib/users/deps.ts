import type { ActivityRecorder } from '../core/activity.ts'
import type { Branding } from '../core/branding.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { GuessDeps } from './guess.ts'
import type { MailBudgetDeps } from './mailBudget.ts'
import type { AccountLinks, Accounts, PasswordStrength, Passwords, PwnedPasswords, Users } from './ports.ts'

export interface LinkDeps {
  readonly accounts: Accounts
  readonly links: AccountLinks
  readonly clock: Clock
}

/** Dependencies of use cases that send a link, some after a check of the current password. */
export interface MailDeps extends LinkDeps, MailBudgetDeps, GuessDeps {
  readonly passwords: Passwords
  readonly mailer: Mailer
  readonly activity: ActivityRecorder
  readonly ids: Ids
  readonly logger: Logger
  /** Base URL of the API, for the links in mails. */
  readonly accountUrl: string
  readonly branding: Branding
}

/** Dependencies of judging a new password. */
export interface PasswordDeps {
  readonly strength: PasswordStrength
  /** If undefined, breached passwords are not checked. */
  readonly pwnedPasswords?: PwnedPasswords | undefined
  readonly logger: Logger
  readonly branding: Pick<Branding, 'name'>
}

/** All dependencies of accounts, including the choice of a password. */
export interface AccountDeps extends MailDeps, PasswordDeps {
  readonly users: Users
  readonly logger: MailDeps['logger']
  readonly branding: MailDeps['branding']
}
