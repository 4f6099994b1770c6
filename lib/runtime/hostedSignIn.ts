import { nameBrowser } from '../adapters/bowser/nameBrowser.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createGuessCounts } from '../adapters/dynamodb/guessCountStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import { ids } from '../adapters/random/ids.ts'
import type { HostedSignInDeps } from './hostedSignIn.ts'
import { emailKey } from '../users/emailKey.ts'
import { rememberBrowser } from '../users/password/knownBrowser.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { knownBrowserDeps } from './knownBrowser.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { authenticatorDepsFromEnvironment, secondFactorsWith } from './secondFactors.ts'
import { signInWith } from './signIn.ts'

/** Everything that the forms of a sign-in need, whatever the user signs in to. Throws Error where the environment is not complete. */
export function hostedSignInDepsFromEnvironment(): HostedSignInDeps {
  const table = accountsTable()
  const accounts = createAccounts(documents, table)
  return {
    accounts,
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    ids,
    clock,
    signIn: signInWith({
      ...knownBrowserDeps,
      accounts,
      guesses: createGuessCounts(documents, table),
      passwords: argon2idPasswords,
    }),
    secondFactors: secondFactorsWith({
      ...authenticatorDepsFromEnvironment(),
      mailer: mailerFromEnvironment(),
      branding: brandingFromEnvironment(),
      logger,
    }),
    nameBrowser,
    rememberBrowser: (cookie, email) => rememberBrowser(knownBrowserDeps, cookie, emailKey(email)),
  }
}
