import { createAccountLinks } from '../adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createFactorResetApprovals, createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createProviderConnections } from '../adapters/dynamodb/providerConnectionStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import { qrCode } from '../adapters/qrcode/qrCode.ts'
import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import type { ShowSecurityDeps } from '../authenticators/security/showSecurity.ts'
import type { SubmitSecurityDeps } from '../authenticators/security/submitSecurity.ts'
import { endEarlierSessions } from '../oauth/session/endEarlierSessions.ts'
import type { AskSignInDeps } from '../signIn/askSignIn.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import { addressFirstFromEnvironment } from './addressFirst.ts'
import { accountsTable, allTables, documents } from './dynamodb.ts'
import { accountUrlFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { relyingPartyFromEnvironment } from './settings.ts'
import { submitSignInDepsFromEnvironment } from './signIn.ts'

/** For showing the pages of authenticators, which only read. */
export function accountSecurityDepsFromEnvironment(): ShowSecurityDeps &
  AskSignInDeps & { relyingParty: RelyingParty } {
  const table = accountsTable()
  return {
    ...organizationDepsFromEnvironment(),
    accounts: createAccounts(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    authenticators: createAuthenticators(documents, table),
    connections: createProviderConnections(documents, table),
    providers: createSignInProviders(documents, table),
    addressFirst: addressFirstFromEnvironment(),
    resets: createFactorResets(documents, table),
    relyingParty: relyingPartyFromEnvironment(),
  }
}

/** For the forms of authenticators. */
export function accountSecuritySubmitDepsFromEnvironment(): SubmitSecurityDeps &
  SubmitSignInDeps & { relyingParty: RelyingParty } {
  const tables = allTables()
  const submit = submitSignInDepsFromEnvironment()
  const grants = {
    ...submit,
    userSessions: createUserSessions(documents, tables.accounts),
    refreshTokens: createRefreshTokens(documents, tables.accounts),
  }
  return {
    ...organizationDepsFromEnvironment(),
    ...submit,
    resets: createFactorResets(documents, tables.accounts),
    approvals: createFactorResetApprovals(documents, tables),
    links: createAccountLinks(documents, tables.accounts),
    mailBudgets: createMailBudgets(documents, tables.accounts),
    relyingParty: relyingPartyFromEnvironment(),
    accountUrl: accountUrlFromEnvironment(),
    qrCode,
    endEarlierSessions: (caller, only) => endEarlierSessions(grants, caller, only),
  }
}
