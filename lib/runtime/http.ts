import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import type { HttpDeps } from '../http/contract.ts'
import { allowsOrigin } from './allowedOrigins.ts'
import { callersFromEnvironment } from './callers.ts'
import { clock } from './clock.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

const accessTokens = createAccessTokenVerifier({
  publicKeys: environment.TOKEN_PUBLIC_KEY,
  issuer: environment.TOKEN_ISSUER,
  audience: environment.TOKEN_AUDIENCE,
  clock,
})

/** What an endpoint for signed-in users needs. */
export function httpDeps(options: Pick<HttpDeps, 'isCountedFirst'> = {}): HttpDeps {
  return { accessTokens, allowsOrigin, clock, logger, ...callersFromEnvironment(), ...options }
}
