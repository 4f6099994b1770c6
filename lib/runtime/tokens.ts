import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCode.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshToken.ts'
import { createUsers } from '../adapters/dynamodb/user.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { createTokenSigner } from '../adapters/kms/tokenSigner.ts'
import { ids } from '../adapters/random/ids.ts'
import type { OAuthDeps } from '../oauth/tokenRequest.ts'
import type { Users } from '../users/ports.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'

/** The users of the table `accounts`. Throws z.ZodError where the environment does not name it. */
export function usersFromEnvironment(): Users {
  const { AWS_REGION, ACCOUNTS_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true }))
  return createUsers(createDocumentClient({ region: AWS_REGION }), ACCOUNTS_TABLE)
}

/** All that the token endpoint needs. Throws z.ZodError where the environment is not complete. */
export function oauthDepsFromEnvironment(): OAuthDeps {
  const variables = readEnvironment(
    environment.pick({
      AWS_REGION: true,
      ACCOUNTS_TABLE: true,
      TOKEN_KEY_ID: true,
      TOKEN_ISSUER: true,
      TOKEN_AUDIENCE: true,
    }),
  )
  const region = variables.AWS_REGION
  const table = variables.ACCOUNTS_TABLE
  const documents = createDocumentClient({ region })
  return {
    clients: createOAuthClients(documents, table),
    codes: createAuthorizationCodes(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    accounts: createAccounts(documents, table),
    signer: createTokenSigner({ client: createKmsClient({ region }), keyId: variables.TOKEN_KEY_ID }),
    ids,
    clock,
    logger,
    issuer: variables.TOKEN_ISSUER,
    audience: variables.TOKEN_AUDIENCE,
  }
}
