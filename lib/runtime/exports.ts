import { createOwnRecords } from '../adapters/dynamodb/ownRecords.ts'
import type { ExportDeps } from '../organizations/exportOwnData.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'

/** Everything that an export reads. Throws z.ZodError where the environment does not name the tables. */
export function exportDepsFromEnvironment(): ExportDeps {
  return { ...organizationDepsFromEnvironment(), ownRecords: createOwnRecords(documents, accountsTable()) }
}
