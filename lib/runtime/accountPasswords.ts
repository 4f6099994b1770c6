import { zxcvbnStrength } from '../adapters/passwords/zxcvbnStrength.ts'
import type { AccountDeps } from '../users/accountDeps.ts'
import { mailDepsFromEnvironment } from './accountMails.ts'
import { usersFromEnvironment } from './users.ts'

/**
 * Everything that setting a password needs. In a file of its own, so that other functions do not bundle the lists of common passwords.
 * Throws z.ZodError where the environment is not complete.
 */
export function accountDepsFromEnvironment(): AccountDeps {
  return { ...mailDepsFromEnvironment(), users: usersFromEnvironment(), strength: zxcvbnStrength }
}
