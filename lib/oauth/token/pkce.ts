import { createHash } from 'node:crypto'

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** An S256 challenge: base64url of 32 bytes. */
export const codeChallengePattern = /^[A-Za-z0-9_-]{43}$/

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/**
 * Whether the verifier matches the challenge of the authorization request (RFC 7636 §4.6). If both are missing, they match. A verifier without
 * a challenge does not match: it is a downgrade (RFC 9700 §2.1.1). `plain` is not supported.
 */
export function verifyCodeVerifier(verifier: string | undefined, challenge: string | undefined): boolean {
  if (verifier === undefined || challenge === undefined) return verifier === challenge
  return verifierPattern.test(verifier) && challengeOf(verifier) === challenge
}
