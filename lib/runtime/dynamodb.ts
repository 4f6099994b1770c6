import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { environment, readEnvironment } from './environment.ts'
import { traced } from './tracing.ts'

const { AWS_REGION } = readEnvironment(environment.pick({ AWS_REGION: true }))

/** The one DynamoDB client of this process: all that reads or writes a table shares its connections. */
export const documents = traced(createDocumentClient({ region: AWS_REGION }))

/** The name of the table `accounts`. Throws z.ZodError where the environment does not hold it. */
export function accountsTable(): string {
  return readEnvironment(environment.pick({ ACCOUNTS_TABLE: true })).ACCOUNTS_TABLE
}

/** The name of the table `accounts`; undefined for a function that no user calls, which has no part of it. */
export function callersTable(): string | undefined {
  return readEnvironment(environment.pick({ ACCOUNTS_TABLE: true }).partial()).ACCOUNTS_TABLE
}

/** The name of the table `billing`. Throws z.ZodError where the environment does not hold it. */
export function billingTable(): string {
  return readEnvironment(environment.pick({ BILLING_TABLE: true })).BILLING_TABLE
}

/** The name of the table `auditLog`; undefined for a function that changes nothing, which has no part of it. */
export function auditLogTable(): string | undefined {
  return readEnvironment(environment.pick({ AUDIT_LOG_TABLE: true })).AUDIT_LOG_TABLE
}
