import { greatestSum, levelAt, type Sums, secondsUntilRoom, weightsAt, withOneMore } from './decayingCount.ts'
import type { GuessSubject } from './ports.ts'

/**
 * How many tries of a password or a code each subject has room for. Tries fade by themselves, to 1/e within a day, so that at most twice as many
 * are admitted in any 24 hours: what was there, and what faded meanwhile. A success is taken back.
 */
export const guessLimits: Readonly<Record<GuessSubject['kind'], number>> = {
  /** Of an account, known or not, from all browsers that it is not known in: 100 in any 24 hours. */
  account: 50,
  /** From a network address, an office's maybe, at accounts that do not succeed: 300 in any 24 hours. */
  address: 150,
  /** Of one account at one network address: so many failures are taken back from the address once the account succeeds there. */
  account_at_address: 10,
  /** Of an account from one browser that it is known in: strangers cannot use these up. */
  known_browser: 20,
  /** Of the current password, by a user who is signed in. */
  session: 10,
  /** Of an account's codes, after a right password or in a session: strangers cannot use these up. */
  second_factor: 10,
}

/** Whether a try is made; and what is counted from then on, or when there is room again. */
type Decision =
  | { readonly decision: 'admitted'; readonly next: Sums }
  | { readonly decision: 'refused'; readonly retryAfterSeconds: number }

/**
 * Decides on a try at `now`, which counts before it is made, whatever becomes of it. A refused one does not count: the wait gets no longer
 * by asking. The store does the same in one conditional write.
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
  /** The browser's id where it signed in to this account before. */
  readonly knownBrowser: string | undefined
}

/**
 * What a try counts for, in this order: a refusal of the first keeps it off the second, so that an address without room cannot use up an
 * account. A browser known for the account counts for itself only: nothing that is done from elsewhere keeps its user out.
 */
export function subjectsOf({ account, sourceIp, knownBrowser }: Origin): readonly GuessSubject[] {
  if (knownBrowser !== undefined) return [{ kind: 'known_browser', subject: knownBrowser }]
  return [
    { kind: 'address', subject: sourceIp },
    { kind: 'account', subject: account },
  ]
}

/** Where the failures of an account at an address are counted, to take them back together. */
export function failuresOf({ account, sourceIp }: Origin): GuessSubject {
  return { kind: 'account_at_address', subject: `${sourceIp} ${account}` }
}
