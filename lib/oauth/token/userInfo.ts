import { scopesIn } from '../../core/scopes.ts'
import type { User } from '../../users/ports.ts'

/**
 * The claims of the user at UserInfo and in id_tokens (OpenID Connect Core §5.1, §5.4): `sub`, and the claims of `profile` and `email` if these scopes were
 * granted.
 */
export function userInfoOf(user: User, scope: string) {
  const granted = scopesIn(scope)
  return {
    sub: user.id,
    ...(granted.includes('profile') && { preferred_username: user.username }),
    ...(granted.includes('email') && { email: user.email, email_verified: user.isVerified }),
  }
}
