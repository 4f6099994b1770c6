import { type AssuranceLevel, type Authentication, levelOf, secondsSince } from './authentication.ts'
import { ServiceError } from './errors.ts'
import { type OrganizationId, organizationIdSchema } from './ids.ts'

/** How many seconds a sign-in is recent: the `max_age` that a refused client requests from the authorization endpoint. */
export const RECENT_SIGN_IN_SECONDS = 600

/** The properties of a token's sign-in that operations with a recent sign-in check. */
export interface SignInStrength {
  readonly isRecent: boolean
  readonly level: AssuranceLevel
  /** Seconds until its second factor is no longer new, if the operation asks for such a factor. */
  readonly newFactorSeconds?: number | undefined
}

export type StepUpErrorCode = 'insufficient_user_authentication' | 'factor_too_new'

/** A second factor that was added too recently for this operation. It is enough after `retryAfterSeconds`, at least 1. */
export class FactorTooNewError extends ServiceError<StepUpErrorCode> {
  override readonly name = 'FactorTooNewError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('factor_too_new')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What asks for another sign-in: the operation, or the sign-in rules of the organization. */
type StepUpCause = 'operation' | 'sign_in_rules'

/** What the new sign-in must be. */
interface WantedSignIn {
  /** How many seconds old it may be; undefined if any age is enough. */
  maxAge: number | undefined
  /** The level to sign in with; undefined if that of the token is enough. */
  level: AssuranceLevel | undefined
  /** The organization whose single sign-on to come by; undefined if any way is enough. */
  sso?: OrganizationId | undefined
}

/** What `acr_values` has for the single sign-on of an organization. */
const SIGN_ON_ACR = 'sso:'

/** The value of `acr_values` that asks for the single sign-on of an organization, beside the levels. */
export function signOnAcrOf(organizationId: OrganizationId): string {
  return SIGN_ON_ACR + organizationId
}

/** The organization whose single sign-on a value of `acr_values` asks for; undefined for any other value. */
export function organizationOfAcr(value: string): OrganizationId | undefined {
  if (!value.startsWith(SIGN_ON_ACR)) return undefined
  return organizationIdSchema.safeParse(value.slice(SIGN_ON_ACR.length)).data
}

/** A valid token whose sign-in is too old, or of a lower level than its account can reach (RFC 9470 §3). */
export class StepUpError extends ServiceError<StepUpErrorCode> {
  override readonly name = 'StepUpError'
  readonly askedBy: StepUpCause
  readonly wanted: WantedSignIn

  constructor(askedBy: StepUpCause, { message, ...wanted }: WantedSignIn & { message: string }) {
    super('insufficient_user_authentication', { message })
    this.askedBy = askedBy
    this.wanted = wanted
  }
}

/** @param now Unix milliseconds */
export function signInOf(authentication: Authentication, now: number): SignInStrength {
  return { isRecent: secondsSince(authentication, now) <= RECENT_SIGN_IN_SECONDS, level: levelOf(authentication) }
}

/** Seconds until the second factor of a sign-in is no longer new; undefined if it is not. @param now Unix milliseconds */
export function newFactorSecondsOf({ newFactorUntil }: Authentication, now: number): number | undefined {
  if (newFactorUntil === undefined || newFactorUntil <= now) return undefined
  return Math.ceil((newFactorUntil - now) / 1000)
}

/**
 * Refuses a sign-in that is not recent, and a sign-in with a single factor if the account has a second factor. Names everything that is
 * missing, so a single new sign-in is enough. A new factor is refused last: no other sign-in mends it.
 * @param signIn undefined if the operation accepts a sign-in of any age
 * @throws StepUpError; FactorTooNewError
 */
export function requireRecentSignIn(
  signIn: SignInStrength | undefined,
  { hasSecondFactor }: { hasSecondFactor: boolean },
): void {
  if (signIn === undefined) return
  const level = hasSecondFactor && signIn.level !== 'aal2' ? ('aal2' as const) : undefined
  const wanted = { maxAge: RECENT_SIGN_IN_SECONDS, level }
  if (!signIn.isRecent) throw new StepUpError('operation', { ...wanted, message: 'the sign-in is not recent' })
  if (level !== undefined)
    throw new StepUpError('operation', { ...wanted, message: 'the sign-in has no second factor' })
  if (signIn.newFactorSeconds !== undefined) throw new FactorTooNewError(signIn.newFactorSeconds)
}
