import type { Account } from '../../users/ports.ts'
import type { FactorReset, ResetSchedule } from '../ports.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The wait after the confirmation: long enough for users to read the mails, or to find a second factor again. */
export const WAIT_MS = 7 * DAY
/** The wait after an owner's approval, if it ends earlier. */
export const WAIT_AFTER_APPROVAL_MS = DAY
/** A request that its user does not confirm in this time ends. */
const CONFIRM_WITHIN_MS = 7 * DAY
/** A factor that is younger may be a thief's: a minute with the password is enough to add it. */
const TRUSTED_AGE_MS = 14 * DAY
/** The wait before an operator's removal. */
const WAIT_OF_OPERATED_MS = DAY

/** An authenticator, as far as its use voids a request. Times are Unix milliseconds. */
interface Used {
  readonly createdAt: number
  readonly lastUsedAt: number
}

/** A user's authenticators, with what decides about a request. */
interface UsedAuthenticators {
  readonly passkeys: readonly Used[]
  readonly totp: Used | undefined
  readonly recoveryCodes: Used | undefined
}

/** The account's password and address, as far as they decide about a request. */
type Credentials = Pick<Account, 'credentialsRev' | 'previousPasswordSetAt'>

/** `unconfirmed`: the user has not used the mailed link yet. `due`: it may take effect. `none` also for a request that is void. */
export type ResetState = 'none' | 'unconfirmed' | 'waiting' | 'due'

/**
 * The state of a request. It is void if an authenticator that was at least 14 days old at the request was used after it, since the user has
 * not lost them all, and if the password or the email address has changed. The use of a younger authenticator voids nothing, nor does the
 * use of an authenticator that was added under the previous password: a thief of that password may have added it. If an operator decided on it, a
 * new password or address does not make it void.
 * @param now Unix milliseconds
 */
export function resetStateOf(
  reset: FactorReset | undefined,
  own: UsedAuthenticators,
  { now, ...account }: Credentials & { now: number },
): ResetState {
  if (reset === undefined) return 'none'
  if (reset.operated === undefined && reset.credentialsRev !== (account.credentialsRev ?? 0)) return 'none'
  if (wasUsedSince(reset, { own, account }, reset.requestedAt)) return 'none'
  if (reset.effectiveAt === undefined) return now < reset.requestedAt + CONFIRM_WITHIN_MS ? 'unconfirmed' : 'none'
  return reset.effectiveAt <= now ? 'due' : 'waiting'
}

/**
 * Whether a sign-in may stop the request: with an authenticator whose use would void it.
 * @param signedInAt Unix milliseconds
 */
export function mayStop(
  reset: FactorReset,
  of: { readonly own: UsedAuthenticators; readonly account: Credentials },
  signedInAt: number,
): boolean {
  return wasUsedSince(reset, of, signedInAt)
}

/** An authenticator that was added later may be a thief's, for a request at `requestedAt`. */
export function trustedUntilOf(
  requestedAt: number,
  { previousPasswordSetAt = Number.POSITIVE_INFINITY }: Pick<Credentials, 'previousPasswordSetAt'>,
): number {
  return Math.min(requestedAt - TRUSTED_AGE_MS, previousPasswordSetAt)
}

function wasUsedSince(
  { requestedAt, operated }: FactorReset,
  { own, account }: { readonly own: UsedAuthenticators; readonly account: Credentials },
  since: number,
): boolean {
  const { passkeys, totp, recoveryCodes } = own
  const trustedUntil = operated?.trustedUntil ?? trustedUntilOf(requestedAt, account)
  return [...passkeys, totp, recoveryCodes].some(
    (one) => one !== undefined && one.createdAt <= trustedUntil && one.lastUsedAt >= since,
  )
}

/** When a confirmed request takes effect after an approval at `now`: never later than without it. */
export function effectAfterApproval({ effectiveAt }: { readonly effectiveAt: number }, now: number): number {
  return Math.min(effectiveAt, now + WAIT_AFTER_APPROVAL_MS)
}

/** The steps of a wait from `now`: mails at half time and a day before, and the effect. */
export function scheduleOf(effectiveAt: number, now: number): ResetSchedule {
  const steps: ResetSchedule['steps'] = [
    { step: 'half_time', at: Math.floor((now + effectiveAt) / 2) },
    { step: 'day_before', at: effectiveAt - DAY },
    { step: 'effect', at: effectiveAt },
  ]
  return { effectiveAt, steps: steps.filter(({ at }) => at > now) }
}

/**
 * The steps of an operator's removal from `now`: mails at once and at half time, and the effect a day later.
 * @param earlier when a removal that the user has confirmed takes effect
 */
export function operatedScheduleOf(now: number, earlier = Number.POSITIVE_INFINITY): ResetSchedule {
  const effectiveAt = Math.max(now, Math.min(now + WAIT_OF_OPERATED_MS, earlier))
  return {
    effectiveAt,
    steps: [
      { step: 'day_before', at: now },
      { step: 'half_time', at: Math.floor((now + effectiveAt) / 2) },
      { step: 'effect', at: effectiveAt },
    ],
  }
}
