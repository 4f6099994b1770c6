import { type AssuranceLevel, type Authentication, levelOf, secondsSince } from './authentication.ts'
import { ServiceError } from './errors.ts'

/** For how many seconds a sign-in is recent: `max_age` of what a refused client asks the authorization endpoint for. */
export const RECENT_SIGN_IN_SECONDS = 600

/** What an operation that asks for a recent sign-in has to know of the one behind a token. */
export interface SignInStrength {
  readonly isRecent: boolean
  readonly level: AssuranceLevel
}

export type StepUpErrorCode = 'insufficient_user_authentication'

/** A good token whose sign-in is too old, or of a lower level than its account can reach (RFC 9470 §3). */
export class StepUpError extends ServiceError<StepUpErrorCode> {
  override readonly name = 'StepUpError'
  /** The level to sign in with; undefined where that of the token is enough. */
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
 * Refuses a sign-in that is not recent, and one with a single factor to an account that has a second one. What is missing is named all at
 * once, so that one new sign-in is enough.
 * @param signIn undefined where the operation takes a sign-in of any age
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
