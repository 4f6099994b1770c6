import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createAccountLinks } from '../adapters/dynamodb/accountLink.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import type { LinkDeps } from '../users/accountDeps.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'

/** All that using a link needs. Throws z.ZodError where the environment does not name the table `accounts`. */
export function linkDepsFromEnvironment(): LinkDeps {
  const { AWS_REGION, ACCOUNTS_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true }))
  const documents = createDocumentClient({ region: AWS_REGION })
  return {
    accounts: createAccounts(documents, ACCOUNTS_TABLE),
    links: createAccountLinks(documents, ACCOUNTS_TABLE),
    clock,
  }
}
