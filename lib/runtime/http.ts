import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import type { HttpDeps } from '../http/contract.ts'
import { allowsOrigin } from './allowedOrigins.ts'
import { callersFromEnvironment } from './callers.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'

const variables = readEnvironment(
  environment.pick({ TOKEN_PUBLIC_KEY: true, TOKEN_ISSUER: true, TOKEN_AUDIENCE: true }),
)

const accessTokens = createAccessTokenVerifier({
  publicKeys: variables.TOKEN_PUBLIC_KEY,
  issuer: variables.TOKEN_ISSUER,
  audience: variables.TOKEN_AUDIENCE,
  clock,
})

/** What an endpoint for signed-in users needs. */
export function httpDeps(options: Pick<HttpDeps, 'isCountedFirst'> = {}): HttpDeps {
  return { accessTokens, allowsOrigin, clock, logger, ...callersFromEnvironment(), ...options }
}
