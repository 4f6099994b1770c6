import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createApiClientLogins } from '../adapters/dynamodb/apiClientStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import { withApiClients } from '../oauth/client/withApiClients.ts'
import type { TokenInspectionDeps } from '../oauth/token/tokenInspection.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

/** Everything that revocation and introspection need. Throws Error where the environment is not complete. */
export function tokenInspectionDepsFromEnvironment(): TokenInspectionDeps {
  const { TOKEN_PUBLIC_KEY, TOKEN_ISSUER, TOKEN_AUDIENCE } = environment
  const table = accountsTable()
  return {
    clients: withApiClients(createOAuthClients(documents, table), createApiClientLogins(documents, table), clock),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    accessTokens: createAccessTokenVerifier({
      publicKeys: TOKEN_PUBLIC_KEY,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      clock,
    }),
    clock,
    logger,
    issuer: TOKEN_ISSUER,
  }
}
