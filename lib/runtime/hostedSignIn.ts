import { nameBrowser } from '../adapters/bowser/nameBrowser.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import type { SubmitSignInDeps } from '../signIn/submitSignIn.ts'
import { brandingFromEnvironment } from './branding.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { knownBrowserDeps } from './knownBrowser.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { authenticatorDepsFromEnvironment } from './secondFactors.ts'

/** For the forms of a sign-in, whatever the user signs in to. */
export function submitSignInDepsFromEnvironment() {
  const table = accountsTable()
  return {
    ...authenticatorDepsFromEnvironment(),
    ...knownBrowserDeps,
    accounts: createAccounts(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    passwords: argon2idPasswords,
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    logger,
    nameBrowser,
  } satisfies SubmitSignInDeps
}
