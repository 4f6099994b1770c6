import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createOperatedApiClients } from '../adapters/dynamodb/apiClientStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createFactorResets } from '../adapters/dynamodb/factorResetStore.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import { createOperatedAccounts } from '../adapters/dynamodb/operatedAccountStore.ts'
import { createOperatedFactors } from '../adapters/dynamodb/operatedFactorStore.ts'
import { createOrganizationThrottles } from '../adapters/dynamodb/organizationThrottleStore.ts'
import { createSignInProviders } from '../adapters/dynamodb/signInProviderStore.ts'
import { createSlotListing } from '../adapters/dynamodb/slotStore.ts'
import { createProfiles } from '../adapters/dynamodb/userStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { OperateOnFactorsDeps } from '../authenticators/recovery/operateOnFactors.ts'
import type { ResetTotpDeps } from '../authenticators/recovery/resetTotp.ts'
import type { PendingPurchasesDeps } from '../billing/operate/pendingPurchases.ts'
import type { BillingRecords } from '../billing/slot/ports.ts'
import type { Clock } from '../core/clock.ts'
import type { OperateEndpointsDeps } from '../events/endpoints/operateEndpoints.ts'
import type { ThrottleDeps } from '../organizations/admission/throttleOrganization.ts'
import type { ChangeApiClientScopesDeps } from '../organizations/apiClients/changeApiClientScopes.ts'
import type { OperateOnAccountDeps } from '../organizations/operateOnAccount.ts'
import type { AuditLog, Organizations, Profiles } from '../organizations/ports.ts'
import type { OperateProvidersDeps } from '../signIn/provider/operateOnProvider.ts'
import type { Accounts } from '../users/ports.ts'
import { activityRecorderFromEnvironment } from './activity.ts'
import { billingRecordsFromEnvironment } from './billing.ts'
import { clock } from './clock.ts'
import { allTables, billingTable, documents } from './dynamodb.ts'
import { createEndpointDepsFromEnvironment, deliveriesDepsFromEnvironment } from './endpoints.ts'
import { logger } from './logger.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { openIdClientFromEnvironment, providerCipherFromEnvironment } from './providers.ts'

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

/** For an operator's removal of second factors. It needs no mailer: `factor-resets-run` mails the user. */
export async function operateOnFactorsDepsFromEnvironment(): Promise<OperateOnFactorsDeps & ResetTotpDeps> {
  const tables = allTables()
  await clock.sync()
  return {
    operatedAccounts: createOperatedAccounts(documents, tables),
    operatedFactors: createOperatedFactors(documents, tables),
    authenticators: createAuthenticators(documents, tables.accounts),
    resets: createFactorResets(documents, tables.accounts),
    profiles: createProfiles(documents, tables.accounts),
    activity: activityRecorderFromEnvironment(),
    ids,
    clock,
    logger,
  }
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

/** For throttling an organization. */
export async function throttleDepsFromEnvironment(): Promise<ThrottleDeps> {
  const tables = allTables()
  await clock.sync()
  return { throttles: createOrganizationThrottles(documents, tables), ids, clock, logger }
}

/** For endpoints of the operator. */
export async function operateEndpointsDepsFromEnvironment(): Promise<OperateEndpointsDeps> {
  await clock.sync()
  return { ...deliveriesDepsFromEnvironment(), ...createEndpointDepsFromEnvironment() }
}

/** For the OpenID providers of the sign-in pages. */
export async function operateProvidersDepsFromEnvironment(): Promise<OperateProvidersDeps> {
  await clock.sync()
  return {
    providers: createSignInProviders(documents, allTables().accounts),
    openId: openIdClientFromEnvironment(),
    providerCipher: providerCipherFromEnvironment(),
    clock,
  }
}

/** For listing purchases under way: only reads, without Stripe. */
export async function pendingPurchasesDepsFromEnvironment(): Promise<PendingPurchasesDeps> {
  await clock.sync()
  return { records: billingRecordsFromEnvironment(), slots: createSlotListing(documents, billingTable()), clock }
}

/** For showing organizations and users to an operator: only reads. */
export interface ShowDeps extends Pick<OperateOnAccountDeps, 'operatedAccounts' | 'clock'> {
  readonly records: Pick<BillingRecords, 'readSlots'>
  readonly organizations: Pick<Organizations, 'readMembers'>
  readonly profiles: Profiles
  readonly auditLog: AuditLog
  readonly accounts: Pick<Accounts, 'findByEmail'>
}

export async function showDepsFromEnvironment(): Promise<ShowDeps> {
  const { organizations, profiles, auditLog } = organizationDepsFromEnvironment()
  const deps = await operateOnAccountDepsFromEnvironment()
  const accounts = createAccounts(documents, allTables().accounts)
  return { ...deps, records: billingRecordsFromEnvironment(), organizations, profiles, auditLog, accounts }
}
