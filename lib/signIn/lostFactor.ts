import type { Language } from '../core/language.ts'
import type { LostFactorState, LostFactors } from '../oauth/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'

export interface LostFactorDeps extends Pick<PendingDeps, 'pendingSignIns' | 'accounts' | 'clock'> {
  readonly lostFactors: LostFactors
}

/** What a user does about a lost second factor: read what there is to do, ask for the removal, or complete it. */
export type LostFactorAction = 'read' | 'request' | 'complete'

/**
 * Lets a user whose password was right, and who has lost every second factor, ask for their removal: after the waiting time the password alone
 * signs in again. Starts no session.
 * @param secret in the session cookie; the caller has checked that this browser was given the form
 * @returns undefined where no sign-in is pending in this browser
 * @throws CommonError `service_unavailable`
 */
export async function lostFactor(
  deps: LostFactorDeps,
  { secret, action, language }: { secret: string; action: LostFactorAction; language: Language },
): Promise<LostFactorState | undefined> {
  const pending = await readPendingSignIn(deps, secret)
  if (pending === undefined) return undefined
  const user = { ...pending.user, securityRev: pending.securityRev }
  return action === 'read' ? deps.lostFactors.read(user) : deps.lostFactors[action](user, language)
}
