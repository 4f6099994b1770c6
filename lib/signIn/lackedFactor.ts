import type { AuthenticatorDeps } from '../authenticators/deps.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import { levelOf, secondsSince } from '../core/authentication.ts'
import { reasonOf } from '../core/errors.ts'
import { RECENT_SIGN_IN_SECONDS } from '../core/stepUp.ts'
import type { Logger } from '../log/logger.ts'
import type { LiveSession } from '../oauth/session/session.ts'
import type { FactorRules } from './ports.ts'

export interface LackedFactorDeps extends Pick<AuthenticatorDeps, 'authenticators' | 'clock'> {
  readonly factorRules: FactorRules
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * The names of the organizations that require a second factor of a user who has signed in just now and has none. Never throws: a rule that cannot
 * be read stops no sign-in, and holds at the organization.
 */
export async function organizationsLackingFactor(
  deps: LackedFactorDeps,
  { user, securityRev, authentication }: Pick<LiveSession, 'user' | 'securityRev' | 'authentication'>,
): Promise<readonly string[]> {
  const isSignIn = secondsSince(authentication, deps.clock.now()) < RECENT_SIGN_IN_SECONDS
  if (!isSignIn || levelOf(authentication) === 'aal2') return []
  try {
    const names = await deps.factorRules.listRequiring({ userId: user.id, securityRev })
    const hasFactor = names.length > 0 && (await requiredSecondFactor(deps, user.id)).length > 0
    return hasFactor ? [] : names
  } catch (error) {
    deps.logger.warn('Sign-in rules not read', { userId: user.id, reason: reasonOf(error) })
    return []
  }
}
