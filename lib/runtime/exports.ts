import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import type { listAuthenticators } from '../authenticators/listAuthenticators.ts'
import type { ListConsentsDeps } from '../oauth/authorize/userConsents.ts'
import type { ListSessionsDeps } from '../oauth/session/listUserSessions.ts'
import type { ExportDeps } from '../organizations/exportOwnData.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { serviceNameFromEnvironment, userSessionDepsFromEnvironment } from './userSessions.ts'

/** Everything that an export reads. Throws Error where the environment is not complete. */
export function exportDepsFromEnvironment(): ExportDeps &
  ListSessionsDeps &
  ListConsentsDeps &
  Parameters<typeof listAuthenticators>[0] {
  return {
    ...organizationDepsFromEnvironment(),
    ...userSessionDepsFromEnvironment(),
    serviceName: serviceNameFromEnvironment(),
    authenticators: createAuthenticators(documents, accountsTable()),
  }
}
