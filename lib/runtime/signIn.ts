import type { SignIn } from '../oauth/ports.ts'
import { TooManyAttemptsError, UserError } from '../users/errors.ts'
import { type SignInDeps, signIn } from '../users/signIn.ts'
import { logger } from './logger.ts'

/** Signs in, and returns a refusal instead of throwing it: the page shows it in the form. */
export function signInWith(deps: SignInDeps): SignIn {
  return async (credentials) => {
    try {
      const { user, ...signedIn } = await signIn(deps, credentials)
      return { id: user.id, securityRev: user.securityRev, ...signedIn }
    } catch (error) {
      if (error instanceof TooManyAttemptsError) {
        logger.info('Sign-in refused', { code: error.code })
        return { code: 'too_many_attempts', retryAfterSeconds: error.retryAfterSeconds }
      }
      if (error instanceof UserError && error.code === 'wrong_credentials') {
        logger.info('Sign-in refused', { code: error.code })
        return { code: 'wrong_credentials' }
      }
      throw error
    }
  }
}
