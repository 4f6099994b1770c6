import { createAuditLog } from '../adapters/dynamodb/auditLogStore.ts'
import { createInvitations } from '../adapters/dynamodb/invitationStore.ts'
import { createOrganizationRecords } from '../adapters/dynamodb/organizationStore.ts'
import { createProfiles } from '../adapters/dynamodb/profileStore.ts'
import { createUsers } from '../adapters/dynamodb/userStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { AuditLog, Invitations, Organizations, Profiles } from '../organizations/ports.ts'
import type { Users } from '../users/ports.ts'
import { clock } from './clock.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'

/** Everything that organizations need but mail. */
interface OrganizationDeps {
  organizations: Organizations
  invitations: Invitations
  auditLog: AuditLog
  profiles: Profiles
  users: Users
  ids: Ids
  clock: Clock
}

/** Organizations in the table `billing`, their users in `accounts`, what was changed in `auditLog`. Throws Error where the environment does not name both. */
export function organizationDepsFromEnvironment(): OrganizationDeps {
  const [accounts, billing, auditLog] = [accountsTable(), billingTable(), auditLogTable()]
  return {
    organizations: createOrganizationRecords(documents, { accounts, billing, auditLog }),
    invitations: createInvitations(documents, { accounts, billing, auditLog }),
    auditLog: createAuditLog(documents, auditLog),
    profiles: createProfiles(documents, accounts),
    users: createUsers(documents, accounts),
    ids,
    clock,
  }
}
