import { ids } from '../adapters/random/ids.ts'
import type { DeleteAccountDeps } from '../users/deletion/deleteAccount.ts'
import type { EraseAccountsDeps } from '../users/deletion/eraseAccounts.ts'
import { accountDeletionsFromEnvironment } from './accountDeletions.ts'
import { linkDepsFromEnvironment } from './accountLinks.ts'
import { brandingFromEnvironment } from './branding.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'

/** Everything that deleting accounts needs. Throws Error where the environment is not complete. */
export function deleteAccountDepsFromEnvironment(): DeleteAccountDeps & EraseAccountsDeps {
  return {
    ...linkDepsFromEnvironment(),
    deletions: accountDeletionsFromEnvironment(),
    mailer: mailerFromEnvironment(),
    ids,
    logger,
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}
