import { createAccountDeletions } from '../adapters/dynamodb/accountDeletionStore.ts'
import type { AccountDeletions } from '../users/deletion/ports.ts'
import { accountsTable, auditLogTable, billingTable, documents } from './dynamodb.ts'

/** Deletions of accounts. Throws Error where the environment does not name the tables. */
export function accountDeletionsFromEnvironment(): AccountDeletions {
  const [accounts, billing, auditLog] = [accountsTable(), billingTable(), auditLogTable()]
  return createAccountDeletions(documents, { accounts, billing, auditLog })
}
