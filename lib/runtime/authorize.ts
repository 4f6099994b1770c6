import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCodeStore.ts'
import { createConsents } from '../adapters/dynamodb/consentStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Branding } from '../core/branding.ts'
import type { AuthorizeDeps } from '../oauth/authorize/authorize.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { idTokensFromEnvironment } from './idTokens.ts'
import { logger } from './logger.ts'
import { redirectPolicyFromEnvironment } from './redirectPolicy.ts'

/** Everything that the authorization endpoint needs. Throws Error where the environment is not complete. */
export function authorizeDepsFromEnvironment(): AuthorizeDeps & { branding: Branding } {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    idTokens: idTokensFromEnvironment(),
    codes: createAuthorizationCodes(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    authenticators: createAuthenticators(documents, table),
    consents: createConsents(documents, table),
    accounts: createAccounts(documents, table),
    ids,
    clock,
    logger,
    redirectPolicy: redirectPolicyFromEnvironment(),
    branding: brandingFromEnvironment(),
    issuer: environment.TOKEN_ISSUER,
  }
}
