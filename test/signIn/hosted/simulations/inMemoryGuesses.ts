import { levelAt, minus, type Sums, withOneMore } from '../../../../lib/users/decayingCount.ts'
import type { GuessCounts, GuessSubject } from '../../../../lib/users/ports.ts'
import { decide } from '../../../../lib/users/signInPolicy.ts'

/** The counts of the policy itself, held to the same tests as those in DynamoDB. */
export function inMemoryGuesses(): GuessCounts {
  const counted = new Map<string, Sums>()
  const keyOf = ({ kind, subject }: GuessSubject) => `${kind} ${subject}`
  const sumsOf = (subject: GuessSubject): Sums => counted.get(keyOf(subject)) ?? {}
  const subtract = (subject: GuessSubject, sums: Sums) => counted.set(keyOf(subject), minus(sumsOf(subject), sums))
  return {
    async count(subject, { limit, now }) {
      const decision = decide(sumsOf(subject), { limit, now })
      if (decision.decision === 'refused') return { level: levelAt(sumsOf(subject), now) }
      counted.set(keyOf(subject), decision.next)
      return 'counted'
    },
    async takeBack({ tries, at, failures }) {
      for (const subject of tries) subtract(subject, withOneMore({}, at))
      if (failures === undefined) return
      subtract(failures.from, sumsOf(failures.of))
      counted.delete(keyOf(failures.of))
    },
  }
}
