import type { AuthenticationMethod } from '../core/authentication.ts'

/** A proof of identity that a user has given. */
export type Proof =
  | { readonly kind: 'password' | 'totp' | 'recovery_code' }
  /** A sign-in at an OpenID provider; `hasTwoFactors` if the provider says so, and is trusted in that. */
  | { readonly kind: 'provider'; readonly hasTwoFactors: boolean }
  | { readonly kind: 'passkey'; readonly backupEligible: boolean; readonly userVerified: boolean }

/**
 * The values of `amr` (RFC 8176 §2) for the proofs of a sign-in. A passkey that never leaves its device is `hwk`; if it may be copied,
 * `swk`. A passkey that verified its user (`user`) counts as two factors, as a password or a provider with anything else does. A provider
 * alone has no value: RFC 8176 knows none for it.
 */
export function methodsOf(proofs: readonly Proof[]): AuthenticationMethod[] {
  const methods = proofs.flatMap(methodsOfProof)
  const isWithFirst = proofs.some(({ kind }) => kind === 'password' || kind === 'provider')
  const isTrusted = proofs.some((proof) => proof.kind === 'provider' && proof.hasTwoFactors)
  const isMultiFactor = methods.includes('user') || isTrusted || (isWithFirst && proofs.length > 1)
  return [...new Set(methods), ...(isMultiFactor ? (['mfa'] as const) : [])]
}

function methodsOfProof(proof: Proof): AuthenticationMethod[] {
  if (proof.kind === 'password') return ['pwd']
  if (proof.kind === 'provider') return []
  if (proof.kind !== 'passkey') return ['otp']
  return [proof.backupEligible ? 'swk' : 'hwk', ...(proof.userVerified ? (['user'] as const) : [])]
}
