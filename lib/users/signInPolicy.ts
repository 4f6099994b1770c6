import { greatestSum, levelAt, type Sums, secondsUntilRoom, weightsAt, withOneMore } from './decayingCount.ts'
import type { GuessSubject } from './ports.ts'

/**
 * How many tries of a password or a code each subject has room for. Tries decay to 1/e within a day, so any 24 hours admit at most twice as
 * many: the room, and what decays meanwhile. A success is taken back.
 */
export const guessLimits: Readonly<Record<GuessSubject['kind'], number>> = {
  /** For an account, known or not, from all browsers that do not know it: 100 in any 24 hours. */
  account: 50,
  /** From a source IP, perhaps an office's, at accounts that do not succeed: 300 in any 24 hours. */
  address: 150,
  /** For an account at a source IP. When the account succeeds there, up to this many failures are taken back from the source IP. */
  account_at_address: 10,
  /** For an account from a browser that knows it: strangers cannot use these up. */
  known_browser: 20,
  /** For the current password, by a signed-in user. */
  session: 10,
  /** For an account's codes in a browser that knows it, or in which the password was right: other browsers cannot use these up. */
  second_factor: 10,
  /** For the current password, by the holder of a link: perhaps the owner of a mistyped address. */
  link: 10,
  /** For the code of a device, by a signed-in user in a session. */
  device_code: 10,
  /** For codes of devices, by a user in all sessions: another session has room when one has none. */
  device_code_account: 100,
}

/** Whether a try is admitted, with the new sums or the wait. */
type Decision =
  | { readonly decision: 'admitted'; readonly next: Sums }
  | { readonly decision: 'refused'; readonly retryAfterSeconds: number }

/**
 * Decides on a try at `now`. An admitted try counts before it is made, whatever its result. A refused try does not count, so asking again
 * does not lengthen the wait. The store makes the same decision in one conditional write.
 */
export function decide(counted: Sums, { limit, now }: { limit: number; now: number }): Decision {
  if ((counted[weightsAt(now).older.landmark] ?? 0) <= greatestSum(limit, now)) {
    return { decision: 'admitted', next: withOneMore(counted, now) }
  }
  return { decision: 'refused', retryAfterSeconds: secondsUntilRoom(levelAt(counted, now), limit) }
}

/** Where a try comes from. */
export interface Origin {
  readonly account: string
  readonly sourceIp: string
  /** The browser's id, if it has signed in to this account before. */
  readonly knownBrowser: string | undefined
}

/**
 * The subjects that a try counts for. The order matters: if the source IP has no room, the account is not counted, so one source IP cannot
 * use up an account. A known browser counts only for itself: attackers elsewhere cannot lock its user out.
 */
export function subjectsOf({ account, sourceIp, knownBrowser }: Origin): readonly GuessSubject[] {
  if (knownBrowser !== undefined) return [{ kind: 'known_browser', subject: knownBrowser }]
  return [
    { kind: 'address', subject: sourceIp },
    { kind: 'account', subject: account },
  ]
}

/** The subject that counts the failures of an account at a source IP, so success can take them back together. */
export function failuresOf({ account, sourceIp }: Origin): GuessSubject {
  return { kind: 'account_at_address', subject: `${sourceIp} ${account}` }
}
