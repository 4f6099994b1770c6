import { createGuessCounts } from '../adapters/dynamodb/guessCountStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import { ids } from '../adapters/random/ids.ts'
import type { MailDeps } from '../users/deps.ts'
import { linkDepsFromEnvironment } from './accountLinks.ts'
import { brandingFromEnvironment } from './branding.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'

/**
 * Everything that sending a link needs. In a file of its own, so that other functions do not bundle the SDK of SES. Throws
 * Error where the environment is not complete.
 */
export function mailDepsFromEnvironment(): MailDeps {
  const table = accountsTable()
  return {
    ...linkDepsFromEnvironment(),
    guesses: createGuessCounts(documents, table),
    mailBudgets: createMailBudgets(documents, table),
    passwords: argon2idPasswords,
    mailer: mailerFromEnvironment(),
    ids,
    logger,
    accountUrl: accountUrlFromEnvironment(),
    branding: brandingFromEnvironment(),
  }
}
