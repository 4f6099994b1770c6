import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCode.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshToken.ts'
import { createSessions } from '../adapters/dynamodb/session.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Branding } from '../core/branding.ts'
import type { Logger } from '../log/logger.ts'
import type { EndSessionDeps } from '../oauth/endSession.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { redirectPolicyFromEnvironment } from './redirectPolicy.ts'

/** Everything that the end-of-session endpoint needs. Throws z.ZodError where the environment is not complete. */
export function endSessionDepsFromEnvironment(): EndSessionDeps & { logger: Logger; branding: Branding } {
  const table = accountsTable()
  return {
    clients: createOAuthClients(documents, table),
    sessions: createSessions(documents, table),
    codes: createAuthorizationCodes(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    redirectPolicy: redirectPolicyFromEnvironment(),
    ids,
    clock,
    logger,
    branding: brandingFromEnvironment(),
  }
}
