import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import type { LinkDeps } from '../users/deps.ts'
import type { Passwords } from '../users/ports.ts'
import { linkDepsFromEnvironment } from './accountLinks.ts'

/** Everything that using a link together with a password needs. Throws Error where the environment does not name the table `accounts`. */
export function passwordLinkDepsFromEnvironment(): LinkDeps & { readonly passwords: Passwords } {
  return { ...linkDepsFromEnvironment(), passwords: argon2idPasswords }
}
