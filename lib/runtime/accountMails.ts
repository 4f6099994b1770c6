import { createAttempts } from '../adapters/dynamodb/attempt.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import { ids } from '../adapters/random/ids.ts'
import type { MailDeps } from '../users/accountDeps.ts'
import { linkDepsFromEnvironment } from './accountLinks.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'

/**
 * All that sending a link needs. In a file of its own, so that no other function carries the SDK of SES. Throws z.ZodError where
 * the environment is not complete.
 */
export function mailDepsFromEnvironment(): MailDeps {
  const { AWS_REGION, ACCOUNTS_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true }))
  return {
    ...linkDepsFromEnvironment(),
    attempts: createAttempts(createDocumentClient({ region: AWS_REGION }), ACCOUNTS_TABLE),
    passwords: argon2idPasswords,
    mailer: mailerFromEnvironment(),
    ids,
    logger,
    accountUrl: accountUrlFromEnvironment(),
  }
}
