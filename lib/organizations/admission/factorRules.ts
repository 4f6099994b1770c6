import type { Clock } from '../../core/clock.ts'
import type { FactorRules } from '../../signIn/ports.ts'
import type { Organizations } from '../ports.ts'
import { requiresSecondFactor } from './requireRulesMet.ts'

/** `FactorRules` on the user's organizations. */
export function createFactorRules({
  organizations,
  clock,
}: {
  readonly organizations: Pick<Organizations, 'list'>
  readonly clock: Clock
}): FactorRules {
  return {
    async listRequiring(caller) {
      const own = await organizations.list(caller)
      const now = clock.now()
      return own.flatMap(({ organization: { name, signInRules } }) =>
        signInRules !== undefined && requiresSecondFactor(signInRules, now) ? [name] : [],
      )
    },
  }
}
