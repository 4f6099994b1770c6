import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import type { HttpDeps } from '../http/endpoint.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'

const variables = readEnvironment(
  environment.pick({ TOKEN_PUBLIC_KEY: true, TOKEN_ISSUER: true, TOKEN_AUDIENCE: true }),
)

/** What every endpoint for signed-in users needs. */
export const httpDeps: HttpDeps = {
  accessTokens: createAccessTokenVerifier({
    publicKeySpki: variables.TOKEN_PUBLIC_KEY,
    issuer: variables.TOKEN_ISSUER,
    audience: variables.TOKEN_AUDIENCE,
    clock,
  }),
  clock,
  logger,
}
