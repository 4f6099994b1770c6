import type { Logger } from '../log/logger.ts'
import { TooManyAttemptsError, UserError } from '../users/errors.ts'
import { type SignInDeps, signIn } from '../users/password/signIn.ts'
import type { CheckPassword } from './ports.ts'

export type CheckPasswordDeps = SignInDeps & { readonly logger: Logger }

/** Checks a password as `CheckPassword` says: a refusal is returned, because the page shows it in the form. */
export async function checkPassword(
  deps: CheckPasswordDeps,
  credentials: Parameters<CheckPassword>[0],
): ReturnType<CheckPassword> {
  try {
    const { user, ...signedIn } = await signIn(deps, credentials)
    return { kind: 'checked', id: user.id, securityRev: user.securityRev, ...signedIn }
  } catch (error) {
    if (error instanceof TooManyAttemptsError) {
      deps.logger.info('Sign-in refused', { code: error.code })
      return { kind: 'refused', problem: { code: error.code, retryAfterSeconds: error.retryAfterSeconds } }
    }
    if (error instanceof UserError && error.code === 'wrong_credentials') {
      deps.logger.info('Sign-in refused', { code: error.code })
      return { kind: 'refused', problem: { code: error.code } }
    }
    throw error
  }
}
