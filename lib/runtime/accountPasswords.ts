import { commonPasswords } from '../adapters/passwords/commonPasswords.ts'
import type { AccountDeps } from '../users/accountDeps.ts'
import { mailDepsFromEnvironment } from './accountMails.ts'
import { usersFromEnvironment } from './tokens.ts'

/**
 * All that choosing a password needs. In a file of its own, so that no other function carries the list of common ones. Throws
 * z.ZodError where the environment is not complete.
 */
export function accountDepsFromEnvironment(): AccountDeps {
  return { ...mailDepsFromEnvironment(), users: usersFromEnvironment(), commonPasswords }
}
