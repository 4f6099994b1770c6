import { createApiClients } from '../adapters/dynamodb/apiClientStore.ts'
import { createOrganizationRecords } from '../adapters/dynamodb/organizationStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { ApiClientDeps } from '../organizations/apiClients/apiClientDeps.ts'
import { clock } from './clock.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'

/** Everything that reads and changes API clients. Throws Error where the environment does not name the tables. */
export function apiClientDepsFromEnvironment(): ApiClientDeps & { ids: Ids; clock: Clock } {
  const tables = { accounts: accountsTable(), billing: billingTable(), auditLog: auditLogTable() }
  return {
    organizations: createOrganizationRecords(documents, tables),
    apiClients: createApiClients(documents, tables),
    ids,
    clock,
  }
}
