import { scopesIn } from '../../core/scopes.ts'
import type { User } from '../../users/ports.ts'

/**
 * What a client learns of the user at UserInfo (OpenID Connect Core §5.1, §5.4): who it is, and by the scopes `profile` and `email` what
 * they are for. Members that were not granted are left out.
 */
export function userInfoOf(user: User, scope: string) {
  const granted = scopesIn(scope)
  return {
    sub: user.id,
    ...(granted.includes('profile') && { preferred_username: user.username }),
    ...(granted.includes('email') && { email: user.email, email_verified: user.isVerified }),
  }
}
