import type { FactorReset } from '../ports.ts'

/** When the user's authenticators were last used. */
interface Used {
  readonly lastUsedAt: number
}

/** A user's authenticators, with what decides about a request. */
interface UsedAuthenticators {
  readonly passkeys: readonly Used[]
  readonly totp: Used | undefined
  readonly recoveryCodes: Used | undefined
}

/** The wait after an approval: long enough for users to read the mail, or to find a second factor again. */
export const WAIT_AFTER_APPROVAL_MS = 72 * 3_600_000
/** The wait if there is no owner to ask. */
export const WAIT_WITHOUT_APPROVAL_MS = 7 * 24 * 3_600_000

/** `due`: the user may complete it. `none` also for a request that is void. */
export type ResetState = 'none' | 'awaiting_approval' | 'waiting' | 'due'

/**
 * The state of a request. It is void if any authenticator was added or used after it, since the user has not lost them all, and if the
 * password or the email address has changed. A void request never becomes valid again.
 * @param now Unix milliseconds
 */
export function resetStateOf(
  reset: FactorReset | undefined,
  own: UsedAuthenticators,
  { securityRev, now }: { securityRev: number; now: number },
): ResetState {
  if (reset === undefined || reset.securityRev !== securityRev || lastUseOf(own) >= reset.requestedAt) return 'none'
  if (reset.effectiveAt === undefined) return 'awaiting_approval'
  return reset.effectiveAt <= now ? 'due' : 'waiting'
}

/** When any of these was last used or added, in Unix milliseconds; 0 if there are none. */
function lastUseOf({ passkeys, totp, recoveryCodes }: UsedAuthenticators): number {
  return Math.max(0, ...[...passkeys, totp, recoveryCodes].map((one) => one?.lastUsedAt ?? 0))
}
