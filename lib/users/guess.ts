import type { Clock } from '../core/clock.ts'
import { secondsUntilRoom } from './decayingCount.ts'
import { TooManyAttemptsError } from './errors.ts'
import type { GuessCounts, GuessSubject } from './ports.ts'
import { guessLimits } from './signInPolicy.ts'

export interface GuessDeps {
  readonly guesses: GuessCounts
  readonly clock: Clock
}

/**
 * Counts a try of a password or a code for each subject, in order, before the try is made, so concurrent tries count too. If a subject has no room,
 * nothing stays counted.
 * @returns when it was counted, in Unix milliseconds; needed to take it back
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function countGuess({ guesses, clock }: GuessDeps, subjects: readonly GuessSubject[]): Promise<number> {
  const now = clock.now()
  const counted: GuessSubject[] = []
  for (const subject of subjects) {
    const limit = guessLimits[subject.kind]
    const outcome = await guesses.count(subject, { limit, now })
    if (outcome !== 'counted') {
      if (counted.length > 0) await guesses.takeBack({ tries: counted, at: now })
      throw new TooManyAttemptsError({ retryAfterSeconds: secondsUntilRoom(outcome.level, limit) })
    }
    counted.push(subject)
  }
  return now
}
