import { createOperatedApiClients } from '../adapters/dynamodb/apiClientStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createOperatedAccounts } from '../adapters/dynamodb/operatedAccountStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { BillingRecords } from '../billing/slot/ports.ts'
import type { Clock } from '../core/clock.ts'
import type { ChangeApiClientScopesDeps } from '../organizations/apiClients/changeApiClientScopes.ts'
import type { OperateOnAccountDeps } from '../organizations/operateOnAccount.ts'
import type { AuditLog, Organizations, Profiles } from '../organizations/ports.ts'
import { billingRecordsFromEnvironment } from './billing.ts'
import { clock } from './clock.ts'
import { allTables, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** The clock of the stage, at its time. */
export async function syncedClock(): Promise<Clock> {
  await clock.sync()
  return clock
}

/** For an operator's command on an account. */
export async function operateOnAccountDepsFromEnvironment(): Promise<OperateOnAccountDeps> {
  const tables = allTables()
  await clock.sync()
  return { operatedAccounts: createOperatedAccounts(documents, tables), ids, clock, logger }
}

/** For an operator's command on a client. */
export async function operatedClientDepsFromEnvironment(): Promise<
  ChangeApiClientScopesDeps & { clients: ReturnType<typeof createOAuthClients> }
> {
  const tables = allTables()
  await clock.sync()
  return {
    operatedApiClients: createOperatedApiClients(documents, tables),
    clients: createOAuthClients(documents, tables.accounts),
    ids,
    clock,
    logger,
  }
}

/** For showing organizations and users to an operator: only reads. */
export interface ShowDeps extends Pick<OperateOnAccountDeps, 'operatedAccounts' | 'clock'> {
  readonly records: Pick<BillingRecords, 'readSlots'>
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly profiles: Profiles
  readonly auditLog: AuditLog
}

export async function showDepsFromEnvironment(): Promise<ShowDeps> {
  const { organizations, profiles, auditLog } = organizationDepsFromEnvironment()
  const deps = await operateOnAccountDepsFromEnvironment()
  return { ...deps, records: billingRecordsFromEnvironment(), organizations, profiles, auditLog }
}
