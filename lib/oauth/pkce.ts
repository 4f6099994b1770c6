import { createHash } from 'node:crypto'

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** The form of every S256 challenge: base64url of 32 bytes. */
export const codeChallengePattern = /^[A-Za-z0-9_-]{43}$/

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/**
 * Whether the exchange proves what the authorization request promised (RFC 7636 §4.6). No challenge and no verifier is
 * fine; a verifier without a challenge is a downgrade and refused (RFC 9700 §2.1.1). `plain` does not exist here.
 */
export function verifyCodeVerifier(verifier: string | undefined, challenge: string | undefined): boolean {
  if (verifier === undefined || challenge === undefined) return verifier === challenge
  return verifierPattern.test(verifier) && challengeOf(verifier) === challenge
}
