import { readTokenPublicKeys } from '../adapters/jose/tokenPublicKeys.ts'
import type { PublicJwk } from '../oauth/ports.ts'
import { environment, readEnvironment } from './environment.ts'

/** The issuer of every token, at whose origin clients fetch the metadata. Throws z.ZodError where the environment names none. */
export function issuerFromEnvironment(): string {
  return readEnvironment(environment.pick({ TOKEN_ISSUER: true })).TOKEN_ISSUER
}

/** The keys that access tokens are verified with. Throws where the environment holds none. */
export function publicJwksFromEnvironment(): PublicJwk[] {
  const { TOKEN_PUBLIC_KEY } = readEnvironment(environment.pick({ TOKEN_PUBLIC_KEY: true }))
  return readTokenPublicKeys(TOKEN_PUBLIC_KEY).map(({ jwk }) => jwk)
}
