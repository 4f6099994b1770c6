import { createIdTokenReader } from '../adapters/jose/idTokenReader.ts'
import type { IdTokenReader } from '../oauth/ports.ts'
import { environment } from './environment.ts'

/** Verifies id_tokens that come back. Throws Error where the environment has no keys or no issuer. */
export function idTokensFromEnvironment(): IdTokenReader {
  const { TOKEN_PUBLIC_KEY, TOKEN_ISSUER } = environment
  return createIdTokenReader({ publicKeys: TOKEN_PUBLIC_KEY, issuer: TOKEN_ISSUER })
}
