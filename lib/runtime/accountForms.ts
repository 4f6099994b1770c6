import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import type { OAuthClients } from '../oauth/ports.ts'
import type { JoinDeps } from '../organizations/joinByInvitation.ts'
import type { AccountDeps } from '../users/accountDeps.ts'
import { accountDepsFromEnvironment } from './accountPasswords.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { signInWith } from './signIn.ts'

/** Everything that the forms of links and account pages need. Throws z.ZodError where the environment is not complete. */
export function accountFormDepsFromEnvironment(): AccountDeps & JoinDeps & { clients: OAuthClients } {
  const deps = accountDepsFromEnvironment()
  return {
    ...organizationDepsFromEnvironment(),
    ...deps,
    clients: createOAuthClients(documents, accountsTable()),
    signIn: signInWith(deps),
  }
}
