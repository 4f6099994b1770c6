import type { UserId } from '../../core/ids.ts'
import type { TotpDeps } from '../deps.ts'
import { tryCode } from '../tryCode.ts'

/**
 * Accepts a code of a user's TOTP as the second factor, after a right password or in a session. Each time step works once; it may differ
 * from the current step by 1, and must come after the last accepted step. Success voids a request to reset the second factors.
 * @throws AuthenticatorError `code_refused`, also if the user has no TOTP; TooManyAttemptsError; CommonError `service_unavailable`, after
 *   which the code may be used up: the next code works
 */
export function verifyTotp(deps: TotpDeps, { userId, code }: { userId: UserId; code: string }): Promise<void> {
  return tryCode(deps, userId, async () => {
    const current = await deps.totpAuthenticators.find(userId)
    if (current === undefined) return false
    const now = deps.clock.now()
    const step = deps.totp.stepOf(await deps.totpCipher.decrypt(userId, current.cipher), code, now)
    if (step === undefined) return false
    return (await deps.totpAuthenticators.takeStep(userId, current, { step, now })) === 'taken'
  })
}
