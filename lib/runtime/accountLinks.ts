import { createAccountLinks } from '../adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import type { LinkDeps } from '../users/deps.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'

/** Everything that using a link needs. Throws Error where the environment does not name the table `accounts`. */
export function linkDepsFromEnvironment(): LinkDeps {
  const table = accountsTable()
  return { accounts: createAccounts(documents, table), links: createAccountLinks(documents, table), clock }
}
