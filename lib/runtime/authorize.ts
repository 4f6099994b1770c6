import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCodeStore.ts'
import { createCompanyProviders } from '../adapters/dynamodb/companyProviderStore.ts'
import { createConsents } from '../adapters/dynamodb/consentStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { AuthorizeDeps } from '../oauth/authorize/authorize.ts'
import type { AuthorizeSubmitDeps } from '../oauth/authorize/authorizeSubmit.ts'
import type { EndSessionDeps } from '../oauth/session/endSession.ts'
import { createFactorRules } from '../organizations/admission/factorRules.ts'
import { activityRecorderFromEnvironment } from './activity.ts'
import { addressFirstFromEnvironment } from './addressFirst.ts'
import { clock } from './clock.ts'
import { accountsTable, billingTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'
import { redirectPolicyFromEnvironment } from './settings.ts'
import { submitSignInDepsFromEnvironment } from './signIn.ts'
import { idTokensFromEnvironment } from './tokens.ts'

export function authorizeDepsFromEnvironment(): AuthorizeDeps {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    idTokens: idTokensFromEnvironment(),
    codes: createAuthorizationCodes(documents, table),
    sessions: createSessions(documents, table),
    userSessions: createUserSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    providers: createSignInProviders(documents, table),
    addressFirst: addressFirstFromEnvironment(),
    companies: createCompanyProviders(documents, billingTable()),
    authenticators: createAuthenticators(documents, table),
    factorRules: createFactorRules({ organizations: organizationsFromEnvironment(), clock }),
    consents: createConsents(documents, table),
    accounts: createAccounts(documents, table),
    ids,
    clock,
    logger,
    redirectPolicy: redirectPolicyFromEnvironment(),
    issuer: environment.TOKEN_ISSUER,
  }
}

/** For the forms of the authorization endpoint. */
export function authorizeSubmitDepsFromEnvironment(): AuthorizeSubmitDeps {
  return { ...authorizeDepsFromEnvironment(), ...submitSignInDepsFromEnvironment() }
}

export function endSessionDepsFromEnvironment(): EndSessionDeps {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    idTokens: idTokensFromEnvironment(),
    sessions: createSessions(documents, table),
    userSessions: createUserSessions(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    redirectPolicy: redirectPolicyFromEnvironment(),
    activity: activityRecorderFromEnvironment(),
    clock,
  }
}
