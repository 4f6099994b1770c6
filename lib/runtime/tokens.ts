import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createApiClientLogins } from '../adapters/dynamodb/apiClientStore.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCodeStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { createTokenSigner } from '../adapters/kms/tokenSigner.ts'
import { ids } from '../adapters/random/ids.ts'
import { withApiClients } from '../oauth/client/withApiClients.ts'
import type { TokenDeps } from '../oauth/token/tokenRequest.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

/** Everything that the token endpoint needs. Throws Error where the environment is not complete. */
export function tokenDepsFromEnvironment(): TokenDeps {
  const { AWS_REGION, TOKEN_KEY_ID, TOKEN_ISSUER, TOKEN_AUDIENCE } = environment
  const table = accountsTable()
  const apiClients = createApiClientLogins(documents, table)
  return {
    clients: withApiClients(createOAuthClients(documents, table), apiClients, clock),
    apiClients,
    codes: createAuthorizationCodes(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    signer: createTokenSigner({
      client: createKmsClient({ region: AWS_REGION }),
      keyId: TOKEN_KEY_ID,
    }),
    ids,
    clock,
    logger,
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
  }
}
