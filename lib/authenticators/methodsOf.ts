import type { AuthenticationMethod } from '../core/authentication.ts'

/** What a user has proven an identity with. */
export type Proof =
  | { readonly kind: 'password' | 'totp' | 'recovery_code' }
  | { readonly kind: 'passkey'; readonly backupEligible: boolean; readonly userVerified: boolean }

/**
 * The values of `amr` (RFC 8176 §2) for the proofs of one sign-in. A passkey that never leaves its device is `hwk`, one that may be copied
 * `swk`; with its user verified (`user`) it is two factors by itself, as a password with anything else is.
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
