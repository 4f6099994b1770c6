import type { PasskeyDeps, TotpDeps } from '../authenticators/deps.ts'
import { verifyPasskeySignIn } from '../authenticators/factors/signInWithPasskey.ts'
import { forgiveFailedCodes, verifyTotp } from '../authenticators/factors/verifyTotp.ts'
import type { Proof } from '../authenticators/methodsOf.ts'
import { parsedResponse } from '../authenticators/parsedResponse.ts'
import type { CodeBrowser, SecondFactor, UserAuthenticators } from '../authenticators/ports.ts'
import { type UseRecoveryCodeDeps, useRecoveryCode } from '../authenticators/recovery/useRecoveryCode.ts'
import type { Language } from '../core/language.ts'
import type { SignedIn } from '../users/ports.ts'

export type VerifySecondFactorDeps = PasskeyDeps & TotpDeps & UseRecoveryCodeDeps

/** What a user shows as the second factor: a code as it was typed, or a passkey's response as the browser's script sent it, in JSON. */
export interface FactorProof {
  readonly factor: SecondFactor
  readonly proof: string
}

/**
 * Verifies a second factor, which is used up by that. A used recovery code is mailed to its user. Any factor but the authenticator app ends
 * the app's suspension.
 * @throws AuthenticatorError `code_refused`, `passkey_refused`, `factor_suspended`; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function verifySecondFactor(
  deps: VerifySecondFactorDeps,
  {
    user: { id: userId, securityRev },
    ...shown
  }: FactorProof & {
    readonly user: Pick<SignedIn, 'id' | 'securityRev'>
    /** As read in this request. */
    readonly own: UserAuthenticators
    readonly browser: CodeBrowser
    readonly language: Language
  },
): Promise<{ proof: Proof; newUntil: number | undefined }> {
  const { own, factor, proof, browser, language } = shown
  if (factor === 'totp') {
    await verifyTotp(deps, { userId, securityRev, code: proof, browser })
    return { proof: { kind: factor }, newUntil: own.totp?.newUntil }
  }
  if (factor === 'recovery_code') {
    await useRecoveryCode(deps, { userId, code: proof, language })
    await forgiveFailedCodes(deps, userId)
    return { proof: { kind: factor }, newUntil: own.recoveryCodes?.newUntil }
  }
  const signedIn = await verifyPasskeySignIn(deps, { purpose: 'second_factor', userId }, parsedResponse(proof))
  await forgiveFailedCodes(deps, userId)
  return signedIn
}
