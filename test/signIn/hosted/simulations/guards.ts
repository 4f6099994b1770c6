import type { GuessCounts, GuessSubject } from '../../../../lib/users/ports.ts'

/** What the policy is made of, and a simulation that notices where it is removed. */
export const guards = {
  'limit of account': 'one account from many addresses, every 20 seconds',
  'limit of address': 'many accounts from one address, every 20 seconds',
  'limit of known_browser': 'a thief with the cookie of a known browser',
  'limit of session': 'the current password, in a stolen session',
  'limit of account_at_address': 'one address where others sign in too',
  'known browsers count by themselves': 'one account from many addresses, every 20 seconds',
  'a known browser names its account': 'a browser known for another account',
  'a success is taken back': 'the current password, in a stolen session',
  'failures of what succeeds are taken back':
    'two weeks of an office of 500 who all come within five minutes, six times a day, without cookies',
  'counts fade': 'one account from many addresses, every 20 seconds',
  'a network is one address': 'addresses of one /64, at many accounts',
  'a refused address does not count for the account': 'an address without room, at ten accounts',
} as const
export type Guard = keyof typeof guards

/** The counts without one guard. */
export function withoutGuard(counts: GuessCounts, without: Guard | undefined, start: number): GuessCounts {
  const isFree = ({ kind }: GuessSubject) => without === `limit of ${kind}`
  return {
    async count(subject, { limit, now }) {
      const at = without === 'counts fade' ? start : now
      return counts.count(subject, { limit: isFree(subject) ? Number.MAX_SAFE_INTEGER : limit, now: at })
    },
    async takeBack({ tries, at, failures }) {
      if (without === 'a success is taken back') return
      const when = without === 'counts fade' ? start : at
      const isKept = without === 'failures of what succeeds are taken back'
      await counts.takeBack({ tries, at: when, ...(failures && !isKept && { failures }) })
    },
  }
}
