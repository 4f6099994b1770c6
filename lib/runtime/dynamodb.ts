import { createDocumentClient } from '../adapters/dynamodb/kit/documentClient.ts'
import { environment, isSet } from './environment.ts'

const { AWS_REGION } = environment

/** Shared by the whole process: every store uses its connections. */
export const documents = createDocumentClient({ region: AWS_REGION })

export function accountsTable(): string {
  return environment.ACCOUNTS_TABLE
}

/** The table `accounts`; undefined for functions that no user calls, which have no access to it. */
export function callersTable(): string | undefined {
  return isSet('ACCOUNTS_TABLE') ? environment.ACCOUNTS_TABLE : undefined
}

export function billingTable(): string {
  return environment.BILLING_TABLE
}

/** Undefined for functions that only read, which have no access to the audit log. */
export function auditLogTable(): string | undefined {
  return environment.AUDIT_LOG_TABLE
}

/** Undefined for functions that announce no facts, which have no access to the table `events`. */
export function eventsTable(): string | undefined {
  return environment.EVENTS_TABLE
}

/** The table `events`, for functions that are about events. */
export function requireEventsTable(): string {
  const table = eventsTable()
  if (table === undefined) throw new Error('EVENTS_TABLE is unset')
  return table
}

/** The names of all tables, for stores whose changes span them. */
export function allTables() {
  return { accounts: accountsTable(), billing: billingTable(), auditLog: auditLogTable(), events: eventsTable() }
}
