import { nameBrowser } from '../adapters/bowser/nameBrowser.ts'
import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createGuessCounts } from '../adapters/dynamodb/guessCount.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import type { Branding } from '../core/branding.ts'
import type { AuthorizeSubmitDeps } from '../oauth/authorizeSubmit.ts'
import { authorizeDepsFromEnvironment } from './authorize.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { knownBrowserDeps } from './knownBrowser.ts'
import { signInWith } from './signIn.ts'

/** Everything that the forms of the authorization endpoint need. Throws z.ZodError where the environment is not complete. */
export function authorizeSubmitDepsFromEnvironment(): AuthorizeSubmitDeps & { branding: Branding } {
  const table = accountsTable()
  return {
    ...authorizeDepsFromEnvironment(),
    nameBrowser,
    signIn: signInWith({
      ...knownBrowserDeps,
      accounts: createAccounts(documents, table),
      guesses: createGuessCounts(documents, table),
      passwords: argon2idPasswords,
    }),
  }
}
