import type { ActivityRecorder } from '../core/activity.ts'
import type { Branding } from '../core/branding.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Organizations, Profiles } from '../organizations/ports.ts'
import type { MailBudgetDeps } from '../users/mailBudget.ts'
import type { AccountLinks, Accounts, GuessCounts } from '../users/ports.ts'
import type {
  Authenticators,
  Challenges,
  FactorResetApprovals,
  FactorResets,
  Passkeys,
  ProviderConnections,
  RecoveryCodeStore,
  Totp,
  TotpAuthenticators,
  TotpCipher,
  WebAuthn,
} from './ports.ts'

export interface AuthenticatorDeps {
  readonly accounts: Pick<Accounts, 'find' | 'findCaller'>
  readonly authenticators: Authenticators
  readonly clock: Clock
  readonly ids: Ids
}

/** Dependencies of making and using passkeys. */
export interface PasskeyDeps extends AuthenticatorDeps {
  readonly challenges: Challenges
  readonly passkeys: Passkeys
  readonly webAuthn: WebAuthn
}

export interface TotpDeps extends AuthenticatorDeps {
  readonly guesses: GuessCounts
  readonly totpAuthenticators: TotpAuthenticators
  readonly totpCipher: TotpCipher
  readonly totp: Totp
}

export interface RecoveryCodeDeps extends AuthenticatorDeps {
  readonly recoveryCodes: RecoveryCodeStore
}

/** Dependencies of the list of connected OpenID providers. */
export interface ConnectedProviderDeps extends Pick<AuthenticatorDeps, 'accounts'> {
  readonly connections: ProviderConnections
  /** The providers on offer. */
  readonly providers: { list(): Promise<readonly { readonly id: string; readonly name: string }[]> }
}

/** Dependencies of the reset of lost second factors. */
export interface FactorResetDeps extends AuthenticatorDeps, MailedDeps {
  readonly resets: FactorResets
  readonly organizations: Pick<Organizations, 'read' | 'list' | 'readMembers'>
  /** Base URL of the links in mails. */
  readonly accountUrl: string
}

/** Dependencies of a request; its mails go to the user, with a link, and to owners. */
export interface RequestFactorResetDeps extends FactorResetDeps, MailBudgetDeps {
  readonly links: AccountLinks
  readonly profiles: Profiles
}

/** Dependencies of the removal itself. */
export interface CompleteFactorResetDeps
  extends Pick<
    FactorResetDeps,
    'authenticators' | 'resets' | 'clock' | 'branding' | 'mailer' | 'logger' | 'accountUrl'
  > {
  readonly activity: ActivityRecorder
}

/** Dependencies of an owner's approval. */
export interface ApproveFactorResetDeps extends FactorResetDeps {
  readonly approvals: FactorResetApprovals
}

/** Dependencies of mails to users. */
export interface MailedDeps {
  readonly mailer: Mailer
  readonly logger: Logger
  readonly branding: Branding
}

/** Dependencies of a change about which its user is mailed, some with a link that undoes it. */
export interface MailedChangeDeps extends MailBudgetDeps, MailedDeps {
  readonly links: Pick<AccountLinks, 'issue'>
  /** Base URL of the links in mails. */
  readonly accountUrl: string
  readonly activity: ActivityRecorder
}
