import type { AuthenticationMethod } from '../core/authentication.ts'

/** A proof of identity that a user has given. */
export type Proof =
  | { readonly kind: 'password' | 'totp' | 'recovery_code' }
  | { readonly kind: 'passkey'; readonly backupEligible: boolean; readonly userVerified: boolean }

/**
 * The values of `amr` (RFC 8176 §2) for the proofs of a sign-in. A passkey that never leaves its device is `hwk`; if it may be copied,
 * `swk`. A passkey that verified its user (`user`) counts as two factors, as a password with anything else does.
 */
export function methodsOf(proofs: readonly Proof[]): AuthenticationMethod[] {
  const methods = proofs.flatMap(methodsOfProof)
  const isMultiFactor = methods.includes('user') || (methods.includes('pwd') && methods.length > 1)
  return [...new Set(methods), ...(isMultiFactor ? (['mfa'] as const) : [])]
}

function methodsOfProof(proof: Proof): AuthenticationMethod[] {
  if (proof.kind === 'password') return ['pwd']
  if (proof.kind !== 'passkey') return ['otp']
  return [proof.backupEligible ? 'swk' : 'hwk', ...(proof.userVerified ? (['user'] as const) : [])]
}
