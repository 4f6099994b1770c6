import type { GuessCounts, GuessSubject } from '../../lib/users/ports.ts'
import { guessLimits } from '../../lib/users/signInPolicy.ts'

/** Counts tries, as if they had been made, until there is no room for another. */
export async function useUpGuesses(guesses: GuessCounts, subject: GuessSubject, now: number): Promise<void> {
  while ((await guesses.count(subject, { limit: guessLimits[subject.kind], now })) === 'counted');
}
