import { digestSecret } from '../../oauth/secretDigest.ts'
import type { ProviderSecrets } from '../ports.ts'

/**
 * The secrets of a sign-in, from the secret in the browser's cookie: only this browser can finish it, and the store holds none of them.
 * @param secret 256 random bits
 */
export function secretsOf(secret: string): ProviderSecrets {
  const [state, nonce, codeVerifier] = ['state', 'nonce', 'code verifier'].map((use) =>
    digestSecret(`${use} ${secret}`),
  )
  return { state: state ?? '', nonce: nonce ?? '', codeVerifier: codeVerifier ?? '' }
}
