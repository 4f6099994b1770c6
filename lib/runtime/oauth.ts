import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshToken.ts'
import { createSessions } from '../adapters/dynamodb/session.ts'
import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import type { EndSessionDeps } from '../oauth/endSession.ts'
import type { TokenInspectionDeps } from '../oauth/tokenInspection.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'

/** All that revocation and introspection need. Throws z.ZodError where the environment is not complete. */
export function tokenInspectionDepsFromEnvironment(): TokenInspectionDeps {
  const { AWS_REGION, ACCOUNTS_TABLE, ...variables } = readEnvironment(
    environment.pick({
      AWS_REGION: true,
      ACCOUNTS_TABLE: true,
      TOKEN_PUBLIC_KEY: true,
      TOKEN_ISSUER: true,
      TOKEN_AUDIENCE: true,
    }),
  )
  const issuer = variables.TOKEN_ISSUER
  const documents = createDocumentClient({ region: AWS_REGION })
  return {
    clients: createOAuthClients(documents, ACCOUNTS_TABLE),
    refreshTokens: createRefreshTokens(documents, ACCOUNTS_TABLE),
    accounts: createAccounts(documents, ACCOUNTS_TABLE),
    accessTokens: createAccessTokenVerifier({
      publicKeys: variables.TOKEN_PUBLIC_KEY,
      issuer,
      audience: variables.TOKEN_AUDIENCE,
      clock,
    }),
    clock,
    logger,
    issuer,
  }
}

/** All that the end of a session needs. Throws z.ZodError where the environment is not complete. */
export function endSessionDepsFromEnvironment(): EndSessionDeps & { logger: typeof logger } {
  const { AWS_REGION, ACCOUNTS_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true }))
  const documents = createDocumentClient({ region: AWS_REGION })
  return {
    clients: createOAuthClients(documents, ACCOUNTS_TABLE),
    sessions: createSessions(documents, ACCOUNTS_TABLE),
    accounts: createAccounts(documents, ACCOUNTS_TABLE),
    clock,
    logger,
  }
}
