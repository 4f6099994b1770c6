import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createCallers } from '../adapters/dynamodb/callerStore.ts'
import { createConsents } from '../adapters/dynamodb/consentStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createProviderConnections } from '../adapters/dynamodb/providerConnectionStore.ts'
import { createRefreshTokens } from '../adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../adapters/dynamodb/sessionStore.ts'
import { createUserSessions } from '../adapters/dynamodb/userSessionStore.ts'
import type { listAuthenticators, listProviderConnections } from '../authenticators/listAuthenticators.ts'
import type { ListConsentsDeps, WithdrawConsentDeps } from '../oauth/authorize/userConsents.ts'
import type { ListSessionsDeps } from '../oauth/session/listUserSessions.ts'
import type { EndUserSessionDeps } from '../oauth/session/userSessions.ts'
import type { ExportDeps } from '../organizations/exportOwnData.ts'
import type { ListActivityDeps } from '../users/activity/listActivity.ts'
import type { Accounts } from '../users/ports.ts'
import { activityRecorderFromEnvironment, listActivityDepsFromEnvironment } from './activity.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { brandingFromEnvironment } from './settings.ts'

/** For listing and ending a user's sessions and consents. */
type UserSessionDeps = Omit<ListSessionsDeps, 'serviceName'> &
  EndUserSessionDeps &
  ListConsentsDeps &
  WithdrawConsentDeps & { readonly accounts: Accounts }

export function userSessionDepsFromEnvironment(): UserSessionDeps {
  const table = accountsTable()
  return {
    sessions: createSessions(documents, table),
    userSessions: createUserSessions(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    consents: createConsents(documents, table),
    clients: createOAuthClients(documents, table),
    callers: createCallers(documents, table),
    accounts: createAccounts(documents, table),
    activity: activityRecorderFromEnvironment(),
    clock,
    logger,
  }
}

/** The name of this service in a user's list of sessions. */
export function serviceNameFromEnvironment(): string {
  return brandingFromEnvironment().name
}

/** For exporting a user's own data. */
export function exportDepsFromEnvironment(): ExportDeps &
  ListSessionsDeps &
  ListConsentsDeps &
  ListActivityDeps &
  Parameters<typeof listAuthenticators>[0] &
  Parameters<typeof listProviderConnections>[0] {
  return {
    ...organizationDepsFromEnvironment(),
    ...userSessionDepsFromEnvironment(),
    ...listActivityDepsFromEnvironment(),
    serviceName: serviceNameFromEnvironment(),
    authenticators: createAuthenticators(documents, accountsTable()),
    connections: createProviderConnections(documents, accountsTable()),
  }
}
