import { createAccountDeletions } from '../adapters/dynamodb/accountDeletionStore.ts'
import { createAccountLinks } from '../adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createCallers } from '../adapters/dynamodb/callerStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createGuessCounts } from '../adapters/dynamodb/guessCountStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import { createUsers } from '../adapters/dynamodb/userStore.ts'
import { zxcvbnStrength } from '../adapters/passwords/zxcvbnStrength.ts'
import { createPwnedPasswords } from '../adapters/pwnedpasswords/pwnedPasswords.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Branding } from '../core/branding.ts'
import type { ResumeDeps } from '../oauth/authorize/requestToResume.ts'
import { browserHoldsFamily } from '../oauth/session/browserHoldsFamily.ts'
import type { SessionDeps } from '../oauth/session/session.ts'
import { joiningAccounts } from '../organizations/domains/joinByDomain.ts'
import type { JoinDeps } from '../organizations/invitations/joinByInvitation.ts'
import type { ReadInvitationDeps } from '../organizations/invitations/readInvitation.ts'
import { checkPassword } from '../signIn/checkPassword.ts'
import type { ConfirmFactorResetDeps } from '../signIn/confirmFactorReset.ts'
import type { StartSignInDeps } from '../signIn/continueAfterPassword.ts'
import type { UseLinkDeps } from '../users/account/useAccountLink.ts'
import type { DeleteAccountDeps } from '../users/deletion/deleteAccount.ts'
import type { EraseAccountsDeps } from '../users/deletion/eraseAccounts.ts'
import type { AccountDeletions } from '../users/deletion/ports.ts'
import type { AccountDeps, LinkDeps, MailDeps } from '../users/deps.ts'
import { emailKey } from '../users/emailKey.ts'
import type { LinkPasswordDeps, OpenLinkDeps } from '../users/links/openLink.ts'
import { rememberBrowser } from '../users/password/knownBrowser.ts'
import type { ResetDeps, ResetOptionsDeps } from '../users/password/resetPassword.ts'
import type { Callers, PwnedPasswords, Users } from '../users/ports.ts'
import { activityRecorderFromEnvironment } from './activity.ts'
import { clock } from './clock.ts'
import { accountsTable, allTables, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { joinByDomainDepsFromEnvironment, organizationDepsFromEnvironment } from './organizations.ts'
import { passwords } from './passwords.ts'
import { brandingFromEnvironment, redirectPolicyFromEnvironment } from './settings.ts'
import { knownBrowserDepsFromEnvironment, startSignInDepsFromEnvironment } from './signIn.ts'

/** For using the link in a mail. */
function linkDepsFromEnvironment(): LinkDeps {
  const table = accountsTable()
  return { accounts: createAccounts(documents, table), links: createAccountLinks(documents, table), clock }
}

/** The same deps; a user whose address is verified joins by its domain. */
export function joining<Deps extends LinkDeps>(deps: Deps): Deps {
  return { ...deps, accounts: joiningAccounts(deps.accounts, joinByDomainDepsFromEnvironment()) }
}

/** For using a link together with a password. */
export function passwordLinkDepsFromEnvironment(): LinkDeps & LinkPasswordDeps {
  const guesses = createGuessCounts(documents, accountsTable())
  return { ...linkDepsFromEnvironment(), guesses, passwords }
}

/** For opening a link in a browser that may be signed in. */
function openLinkDepsFromEnvironment(): OpenLinkDeps & Pick<SessionDeps, 'sessions'> {
  const table = accountsTable()
  const deps = {
    ...resetOptionsDepsFromEnvironment(),
    sessions: createSessions(documents, table),
    userSessions: createUserSessions(documents, table),
  }
  return { ...deps, browserHoldsFamily: (browser) => browserHoldsFamily(deps, browser) }
}

/** For mailing a link. */
export function mailDepsFromEnvironment(): MailDeps {
  const table = accountsTable()
  return {
    ...linkDepsFromEnvironment(),
    guesses: createGuessCounts(documents, table),
    mailBudgets: createMailBudgets(documents, table),
    passwords,
    mailer: mailerFromEnvironment(),
    activity: activityRecorderFromEnvironment(),
    ids,
    logger,
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}

/** For setting a password: adds the lists of common passwords to a bundle. */
export function accountDepsFromEnvironment(): AccountDeps {
  return {
    ...mailDepsFromEnvironment(),
    users: usersFromEnvironment(),
    strength: zxcvbnStrength,
    pwnedPasswords: pwnedPasswordsFromEnvironment(),
  }
}

function pwnedPasswordsFromEnvironment(): PwnedPasswords | undefined {
  const { PWNED_PASSWORDS_URL } = environment
  return PWNED_PASSWORDS_URL === undefined ? undefined : createPwnedPasswords(PWNED_PASSWORDS_URL)
}

/** For listing the authenticators that a reset of the password may remove. */
export function resetOptionsDepsFromEnvironment(): ResetOptionsDeps {
  return { ...linkDepsFromEnvironment(), authenticators: createAuthenticators(documents, accountsTable()) }
}

/** For resetting a password. */
export function resetDepsFromEnvironment(): ResetDeps {
  return { ...accountDepsFromEnvironment(), ...knownBrowserDepsFromEnvironment(), ...resetOptionsDepsFromEnvironment() }
}

/** For showing the pages of links and account forms, which only read. */
export function accountPageDepsFromEnvironment(): OpenLinkDeps &
  ReadInvitationDeps &
  SessionDeps & { branding: Branding } {
  return {
    ...organizationDepsFromEnvironment(),
    ...openLinkDepsFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}

/** For the forms of links and account pages. */
export function accountFormDepsFromEnvironment(): UseLinkDeps &
  OpenLinkDeps &
  ConfirmFactorResetDeps &
  JoinDeps &
  ResumeDeps &
  StartSignInDeps {
  const deps = resetDepsFromEnvironment()
  return joining({
    ...organizationDepsFromEnvironment(),
    ...openLinkDepsFromEnvironment(),
    ...startSignInDepsFromEnvironment(),
    ...deps,
    resets: createFactorResets(documents, accountsTable()),
    deletions: accountDeletionsFromEnvironment(),
    clients: createOAuthClients(documents, accountsTable()),
    redirectPolicy: redirectPolicyFromEnvironment(),
    checkPassword: (credentials) => checkPassword(deps, credentials),
    rememberBrowser: (cookie, email) => rememberBrowser(deps, cookie, emailKey(email)),
  })
}

function accountDeletionsFromEnvironment(): AccountDeletions {
  return createAccountDeletions(documents, allTables())
}

/** For deleting accounts, and erasing them later, without what the gateway knows. */
export function deleteAccountDepsFromEnvironment(): Omit<DeleteAccountDeps, 'debts'> & EraseAccountsDeps {
  return {
    ...linkDepsFromEnvironment(),
    deletions: accountDeletionsFromEnvironment(),
    mailer: mailerFromEnvironment(),
    activity: activityRecorderFromEnvironment(),
    ids,
    logger,
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}

/** Checks that a caller's grant is live. */
export function liveCallersFromEnvironment(): Callers {
  return createCallers(documents, accountsTable())
}

export function usersFromEnvironment(): Users {
  return createUsers(documents, accountsTable())
}
