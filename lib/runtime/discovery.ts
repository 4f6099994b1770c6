import { readPublicJwks } from '../adapters/jose/tokenPublicKeys.ts'
import type { PublicJwk } from '../oauth/ports.ts'
import { environment } from './environment.ts'

/** The issuer of every token, at whose origin clients fetch the metadata. Throws Error where the environment names none. */
export function issuerFromEnvironment(): string {
  return environment.TOKEN_ISSUER
}

/** The keys that access tokens are verified with. Throws where the environment holds none. */
export function publicJwksFromEnvironment(): PublicJwk[] {
  return readPublicJwks(environment.TOKEN_PUBLIC_KEY)
}
