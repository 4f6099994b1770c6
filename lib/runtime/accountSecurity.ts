import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import type { RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import type { ShowSecurityDeps } from '../authenticators/showSecurity.ts'
import type { Branding } from '../core/branding.ts'
import type { Logger } from '../log/logger.ts'
import type { AskSignInDeps } from '../signIn/askSignIn.ts'
import { brandingFromEnvironment } from './branding.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'

/** Everything that showing the pages of authenticators needs: they only read. Throws Error where the environment is not complete. */
export function accountSecurityDepsFromEnvironment(): ShowSecurityDeps &
  AskSignInDeps & { branding: Branding; logger: Logger; relyingParty: RelyingParty } {
  const table = accountsTable()
  return {
    ...organizationDepsFromEnvironment(),
    accounts: createAccounts(documents, table),
    sessions: createSessions(documents, table),
    pendingSignIns: createPendingSignIns(documents, table),
    authenticators: createAuthenticators(documents, table),
    resets: createFactorResets(documents, table),
    relyingParty: relyingPartyFromEnvironment(),
    branding: brandingFromEnvironment(),
    logger,
  }
}
