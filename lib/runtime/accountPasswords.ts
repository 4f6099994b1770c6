import { zxcvbnStrength } from '../adapters/passwords/zxcvbnStrength.ts'
import { createPwnedPasswords } from '../adapters/pwnedpasswords/pwnedPasswords.ts'
import type { AccountDeps } from '../users/deps.ts'
import type { PwnedPasswords } from '../users/ports.ts'
import { mailDepsFromEnvironment } from './accountMails.ts'
import { environment } from './environment.ts'
import { usersFromEnvironment } from './users.ts'

/**
 * Everything that setting a password needs. In a file of its own, so that other functions do not bundle the lists of common passwords.
 * Throws Error where the environment is not complete.
 */
export function accountDepsFromEnvironment(): AccountDeps {
  return {
    ...mailDepsFromEnvironment(),
    users: usersFromEnvironment(),
    strength: zxcvbnStrength,
    pwnedPasswords: pwnedPasswordsFromEnvironment(),
  }
}

function pwnedPasswordsFromEnvironment(): PwnedPasswords | undefined {
  const { PWNED_PASSWORDS_URL } = environment
  return PWNED_PASSWORDS_URL === undefined ? undefined : createPwnedPasswords(PWNED_PASSWORDS_URL)
}
