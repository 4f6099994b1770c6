import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AccountLinks, Accounts, CommonPasswords, Passwords, Users } from './ports.ts'
import type { ThrottleDeps } from './throttle.ts'

/** What it takes to use a link. */
export interface LinkDeps {
  readonly accounts: Accounts
  readonly links: AccountLinks
  readonly clock: Clock
}

/** What it takes to send one, and to ask for the current password before. */
export interface MailDeps extends LinkDeps, ThrottleDeps {
  readonly passwords: Passwords
  readonly mailer: Mailer
  readonly ids: Ids
  readonly logger: Logger
  /** Where the links in mails begin: the base URL of the API. */
  readonly accountUrl: string
}

/** Everything that accounts read, write or ask: what it takes to choose a password. */
export interface AccountDeps extends MailDeps {
  readonly users: Users
  readonly commonPasswords: CommonPasswords
}
