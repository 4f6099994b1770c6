import { type AssuranceLevel, type Authentication, levelOf, secondsSince } from './authentication.ts'
import { ServiceError } from './errors.ts'

/** How many seconds a sign-in is recent: the `max_age` that a refused client requests from the authorization endpoint. */
export const RECENT_SIGN_IN_SECONDS = 600

/** The properties of a token's sign-in that operations with a recent sign-in check. */
export interface SignInStrength {
  readonly isRecent: boolean
  readonly level: AssuranceLevel
}

export type StepUpErrorCode = 'insufficient_user_authentication'

/** A valid token whose sign-in is too old, or of a lower level than its account can reach (RFC 9470 §3). */
export class StepUpError extends ServiceError<StepUpErrorCode> {
  override readonly name = 'StepUpError'
  /** The level to sign in with; undefined if that of the token is enough. */
  readonly level: AssuranceLevel | undefined

  constructor({ level, message }: { level: AssuranceLevel | undefined; message: string }) {
    super('insufficient_user_authentication', { message })
    this.level = level
  }
}

/** @param now Unix milliseconds */
export function signInOf(authentication: Authentication, now: number): SignInStrength {
  return { isRecent: secondsSince(authentication, now) <= RECENT_SIGN_IN_SECONDS, level: levelOf(authentication) }
}

/**
 * Refuses a sign-in that is not recent, and a sign-in with a single factor if the account has a second factor. Names everything that is
 * missing, so a single new sign-in is enough.
 * @param signIn undefined if the operation accepts a sign-in of any age
 * @throws StepUpError
 */
export function requireRecentSignIn(
  signIn: SignInStrength | undefined,
  { hasSecondFactor }: { hasSecondFactor: boolean },
): void {
  if (signIn === undefined) return
  const level = hasSecondFactor && signIn.level !== 'aal2' ? 'aal2' : undefined
  if (!signIn.isRecent) throw new StepUpError({ level, message: 'the sign-in is not recent' })
  if (level !== undefined) throw new StepUpError({ level, message: 'the sign-in has no second factor' })
}
