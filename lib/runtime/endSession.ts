import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import type { Branding } from '../core/branding.ts'
import type { Logger } from '../log/logger.ts'
import type { EndSessionDeps } from '../oauth/session/endSession.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { idTokensFromEnvironment } from './idTokens.ts'
import { logger } from './logger.ts'
import { redirectPolicyFromEnvironment } from './redirectPolicy.ts'

/** Everything that the end-of-session endpoint needs. Throws Error where the environment is not complete. */
export function endSessionDepsFromEnvironment(): EndSessionDeps & { logger: Logger; branding: Branding } {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    idTokens: idTokensFromEnvironment(),
    sessions: createSessions(documents, table),
    userSessions: createUserSessions(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    redirectPolicy: redirectPolicyFromEnvironment(),
    clock,
    logger,
    branding: brandingFromEnvironment(),
  }
}
