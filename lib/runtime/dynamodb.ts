import { createDocumentClient } from '../adapters/dynamodb/kit/documentClient.ts'
import { environment, isSet } from './environment.ts'

const { AWS_REGION } = environment

/** The one DynamoDB client of this process: all that reads or writes a table shares its connections. */
export const documents = createDocumentClient({ region: AWS_REGION })

/** The name of the table `accounts`. Throws Error where the environment does not hold it. */
export function accountsTable(): string {
  return environment.ACCOUNTS_TABLE
}

/** The name of the table `accounts`; undefined for a function that no user calls, which has no part of it. */
export function callersTable(): string | undefined {
  return isSet('ACCOUNTS_TABLE') ? environment.ACCOUNTS_TABLE : undefined
}

/** The name of the table `billing`. Throws Error where the environment does not hold it. */
export function billingTable(): string {
  return environment.BILLING_TABLE
}

/** The name of the table `auditLog`; undefined for a function that changes nothing, which has no part of it. */
export function auditLogTable(): string | undefined {
  return environment.AUDIT_LOG_TABLE
}
