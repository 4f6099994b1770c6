import { levelOf, secondsSince, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { type AnyCaller, isApiClient, isServiceClient } from '../../core/identity.ts'
import { RECENT_SIGN_IN_SECONDS, StepUpError } from '../../core/stepUp.ts'
import { OrganizationError } from '../errors.ts'
import type { SignInRules } from '../ports.ts'

const DAY_SECONDS = 24 * 60 * 60
const HOUR_SECONDS = 60 * 60

/**
 * Refuses a member whose application or sign-in breaks a rule of the organization. Refuses first what no new sign-in mends; then names
 * everything that is missing, so a single new sign-in is enough. Only this function decides it. Clients without a user have no sign-in, and
 * pass.
 * @param now Unix milliseconds
 * @throws OrganizationError `client_not_allowed`, `second_factor_required`; StepUpError
 */
export function requireRulesMet(
  rules: SignInRules | undefined,
  caller: AnyCaller,
  { hasSecondFactor, now }: { hasSecondFactor: boolean; now: number },
): void {
  if (rules === undefined || isApiClient(caller) || isServiceClient(caller)) return
  if (!isClientAllowed(rules, caller)) throw new OrganizationError('client_not_allowed')
  const { authentication = UNKNOWN_AUTHENTICATION } = caller
  const mustHaveFactor = requiresSecondFactor(rules, now)
  if (mustHaveFactor && !hasSecondFactor) throw new OrganizationError('second_factor_required')
  const level = mustHaveFactor && levelOf(authentication) !== 'aal2' ? 'aal2' : undefined
  const { maxSessionDays = Number.POSITIVE_INFINITY, idleHours = Number.POSITIVE_INFINITY } = rules
  const isIdle = (authentication.idleSeconds ?? 0) >= idleHours * HOUR_SECONDS
  const isTooOld = secondsSince(authentication, now) > maxSessionDays * DAY_SECONDS
  if (level === undefined && !isIdle && !isTooOld) return
  // A session that was idle for an hour has no recent sign-in, so this asks for a new sign-in.
  const maxAge = isIdle ? RECENT_SIGN_IN_SECONDS : isTooOld ? maxSessionDays * DAY_SECONDS : undefined
  throw new StepUpError('sign_in_rules', { maxAge, level, message: 'the sign-in breaks a rule of the organization' })
}

/** Whether the application may act in the organization: the operator's own always may. */
export function isClientAllowed(
  rules: SignInRules | undefined,
  { clientId = '', isFirstParty }: { clientId?: string; isFirstParty?: boolean },
): boolean {
  return isFirstParty !== false || rules?.allowedClients === undefined || rules.allowedClients.includes(clientId)
}

/** @param now Unix milliseconds */
function requiresSecondFactor({ secondFactorFrom }: SignInRules, now: number): boolean {
  return secondFactorFrom !== undefined && secondFactorFrom <= now
}
