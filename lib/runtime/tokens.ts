import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createApiClientLogins } from '../adapters/dynamodb/apiClientStore.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCodeStore.ts'
import { createDeviceAuthorizations } from '../adapters/dynamodb/deviceAuthorizationStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import { createIdTokenReader } from '../adapters/jose/idTokenReader.ts'
import { readPublicJwks } from '../adapters/jose/tokenPublicKeys.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { createTokenSigner } from '../adapters/kms/tokenSigner.ts'
import { ids } from '../adapters/random/ids.ts'
import { withApiClients } from '../oauth/client/withApiClients.ts'
import type { IdTokenReader, PublicJwk } from '../oauth/ports.ts'
import type { TokenInspectionDeps } from '../oauth/token/tokenInspection.ts'
import type { TokenDeps } from '../oauth/token/tokenRequest.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

export function tokenDepsFromEnvironment(): TokenDeps {
  const { AWS_REGION, TOKEN_KEY_ID, TOKEN_ISSUER, TOKEN_AUDIENCE } = environment
  const table = accountsTable()
  const apiClients = createApiClientLogins(documents, table)
  return {
    clients: withApiClients(createOAuthClients(documents, table), apiClients, clock),
    apiClients,
    codes: createAuthorizationCodes(documents, table),
    devices: createDeviceAuthorizations(documents, table),
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

/** For revocation and introspection. */
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

/** Verifies id_tokens that clients send back. */
export function idTokensFromEnvironment(): IdTokenReader {
  const { TOKEN_PUBLIC_KEY, TOKEN_ISSUER } = environment
  return createIdTokenReader({ publicKeys: TOKEN_PUBLIC_KEY, issuer: TOKEN_ISSUER })
}

/** The issuer of every token. Clients fetch the metadata at its origin. */
export function issuerFromEnvironment(): string {
  return environment.TOKEN_ISSUER
}

/** The keys that verify access tokens. */
export function publicJwksFromEnvironment(): PublicJwk[] {
  return readPublicJwks(environment.TOKEN_PUBLIC_KEY)
}
