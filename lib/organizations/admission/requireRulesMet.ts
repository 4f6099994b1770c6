import { levelOf, secondsSince, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { type AnyCaller, isApiClient, isServiceClient } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import { RECENT_SIGN_IN_SECONDS, StepUpError } from '../../core/stepUp.ts'
import { OrganizationError } from '../errors.ts'
import type { CallerFacts, Organization, SignInRules } from '../ports.ts'

const DAY_SECONDS = 24 * 60 * 60
const HOUR_SECONDS = 60 * 60

/** What an organization requires of the sign-ins of its members. */
export type RuledOrganization = Pick<Organization, 'signInRules' | 'signOn' | 'verifiedDomains'> & {
  readonly organizationId: Organization['id']
}

/**
 * Refuses a member whose application or sign-in breaks a rule of the organization. Refuses first what no new sign-in mends; then names
 * everything that is missing, so a single new sign-in is enough. Only this function decides it. Clients without a user have no sign-in, and
 * pass.
 * @param now Unix milliseconds
 * @throws OrganizationError `client_not_allowed`, `second_factor_required`; StepUpError
 */
export function requireRulesMet(
  organization: RuledOrganization,
  caller: AnyCaller,
  { callerHasSecondFactor = false, callerDomain, now }: CallerFacts & { readonly now: number },
): void {
  if (isApiClient(caller) || isServiceClient(caller)) return
  const { signInRules: rules = {} } = organization
  if (!isClientAllowed(rules, caller)) throw new OrganizationError('client_not_allowed')
  const { authentication = UNKNOWN_AUTHENTICATION } = caller
  const cameBySignOn = authentication.sso === organization.organizationId
  const isAtDomain = callerDomain !== undefined && (organization.verifiedDomains ?? []).includes(callerDomain)
  const isSignedOn = cameBySignOn && isAtDomain
  // The organization has lost the domain for which its provider spoke: the member signs in another way.
  const isVoid = cameBySignOn && !isAtDomain
  const isBound = isAtDomain && isBoundBySignOn(organization, caller.userId)
  const sso = isBound && !isSignedOn ? organization.organizationId : undefined
  const mustHaveFactor = requiresSecondFactor(rules, now)
  const hasTwoFactors = levelOf(authentication) === 'aal2'
  // The company's own provider may show two factors instead; a member who is still to sign in there is not refused yet.
  const hasFactor = callerHasSecondFactor || sso !== undefined || (isSignedOn && hasTwoFactors)
  if (mustHaveFactor && !hasFactor) throw new OrganizationError('second_factor_required')
  const level = mustHaveFactor && callerHasSecondFactor && !hasTwoFactors ? 'aal2' : undefined
  const { maxSessionDays = Number.POSITIVE_INFINITY, idleHours = Number.POSITIVE_INFINITY } = rules
  const isIdle = (authentication.idleSeconds ?? 0) >= idleHours * HOUR_SECONDS
  const isTooOld = secondsSince(authentication, now) > maxSessionDays * DAY_SECONDS
  if (level === undefined && sso === undefined && !isVoid && !isIdle && !isTooOld) return
  // A session that was idle for an hour has no recent sign-in, so this asks for a new sign-in.
  const oldest = isIdle ? RECENT_SIGN_IN_SECONDS : isTooOld ? maxSessionDays * DAY_SECONDS : undefined
  const maxAge = isVoid ? 0 : oldest
  const message = 'the sign-in breaks a rule of the organization'
  throw new StepUpError('sign_in_rules', { maxAge, level, sso, message })
}

/** Whether the application may act in the organization: the operator's own always may. */
export function isClientAllowed(
  rules: SignInRules | undefined,
  { clientId = '', isFirstParty }: { clientId?: string; isFirstParty?: boolean },
): boolean {
  return isFirstParty !== false || rules?.allowedClients === undefined || rules.allowedClients.includes(clientId)
}

/** Whether a user with an address of a verified domain reaches the organization by its single sign-on alone. */
function isBoundBySignOn({ signOn }: RuledOrganization, userId: UserId): boolean {
  return signOn?.isEnforced === true && signOn.breakGlassUserId !== userId
}

/**
 * Whether members need a second factor.
 * @param now Unix milliseconds
 */
export function requiresSecondFactor({ secondFactorFrom }: SignInRules, now: number): boolean {
  return secondFactorFrom !== undefined && secondFactorFrom <= now
}
