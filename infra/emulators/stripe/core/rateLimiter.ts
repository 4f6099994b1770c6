import type { RateLimit } from '../state/context.ts'

/** Why a request is refused, as Stripe names it in the header `Stripe-Rate-Limited-Reason` (https://docs.stripe.com/rate-limits). */
export type LimitReason = 'global-rate' | 'endpoint-rate'

/** Counts the requests of each second of the emulator's clock; `admit` returns the reason when a limit is exceeded. */
export function createRateLimiter() {
  let second = 0
  let seen = new Map<string, number>()
  return {
    admit({ global, endpoint }: RateLimit, now: number, name: string): LimitReason | undefined {
      if (now !== second) seen = new Map()
      second = now
      const all = (seen.get('') ?? 0) + 1
      const here = (seen.get(name) ?? 0) + 1
      if (global !== null && all > global) return 'global-rate'
      if (endpoint !== null && here > endpoint) return 'endpoint-rate'
      seen.set('', all).set(name, here)
      return undefined
    },
  }
}
