import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { LostFactorDeps } from '../signIn/lostFactor.ts'
import { brandingFromEnvironment } from './branding.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from './mailer.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that the page of lost second factors needs. Throws Error where the environment is not complete. */
export function lostFactorDepsFromEnvironment(): LostFactorDeps {
  const table = accountsTable()
  const { organizations, profiles } = organizationDepsFromEnvironment()
  return {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    resets: createFactorResets(documents, table),
    organizations,
    profiles,
    accountUrl: accountUrlFromEnvironment(),
    mailer: mailerFromEnvironment(),
    logger,
    branding: brandingFromEnvironment(),
    clock,
    ids,
  }
}
