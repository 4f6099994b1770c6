import type { FactorReset } from '../ports.ts'

/** When what a user has was last used. */
interface Used {
  readonly lastUsedAt: number
}

/** Everything that a user can prove an identity with, as far as it decides about a request. */
interface UsedAuthenticators {
  readonly passkeys: readonly Used[]
  readonly totp: Used | undefined
  readonly recoveryCodes: Used | undefined
}

/** From the approval to the effect: long enough for a mail to be read, and for a second factor to be found again. */
export const WAIT_AFTER_APPROVAL_MS = 72 * 3_600_000
/** Where there is no owner to ask. */
export const WAIT_WITHOUT_APPROVAL_MS = 7 * 24 * 3_600_000

/** `due`: the user may complete it. `none` also for a request that is void. */
export type ResetState = 'none' | 'awaiting_approval' | 'waiting' | 'due'

/**
 * Where a request is. It is void once any authenticator was made or used after it, since its user has not lost them all, and once the
 * password or the email address has changed: what is void never comes back.
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

/** When any of these was last used or made, in Unix milliseconds; 0 where there are none. */
function lastUseOf({ passkeys, totp, recoveryCodes }: UsedAuthenticators): number {
  return Math.max(0, ...[...passkeys, totp, recoveryCodes].map((one) => one?.lastUsedAt ?? 0))
}
