import { createOrganizationDeletions } from '../adapters/dynamodb/organizationDeletionStore.ts'
import type { OrganizationDeletions } from '../organizations/deletion/ports.ts'
import type { RestoreOrganizationDeps } from '../organizations/deletion/restoreOrganization.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Deletions of organizations. Throws Error where the environment does not name the tables. */
export function organizationDeletionsFromEnvironment(): OrganizationDeletions {
  const [accounts, billing, auditLog] = [accountsTable(), billingTable(), auditLogTable()]
  return createOrganizationDeletions(documents, { accounts, billing, auditLog })
}

/** Everything that restoring an organization needs. Throws Error where the environment does not name the tables. */
export function restoreOrganizationDepsFromEnvironment(): RestoreOrganizationDeps {
  return { ...organizationDepsFromEnvironment(), deletions: organizationDeletionsFromEnvironment() }
}
