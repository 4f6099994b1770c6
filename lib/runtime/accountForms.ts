import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import type { ResumeDeps } from '../oauth/requestToResume.ts'
import type { JoinDeps } from '../organizations/joinByInvitation.ts'
import type { ResetDeps } from '../users/resetPassword.ts'
import { accountDepsFromEnvironment } from './accountPasswords.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { knownBrowserDeps } from './knownBrowser.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { redirectPolicyFromEnvironment } from './redirectPolicy.ts'
import { signInWith } from './signIn.ts'

/** Everything that the forms of links and account pages need. Throws z.ZodError where the environment is not complete. */
export function accountFormDepsFromEnvironment(): ResetDeps & JoinDeps & ResumeDeps {
  const deps = { ...accountDepsFromEnvironment(), ...knownBrowserDeps }
  return {
    ...organizationDepsFromEnvironment(),
    ...deps,
    clients: createOAuthClients(documents, accountsTable()),
    redirectPolicy: redirectPolicyFromEnvironment(),
    signIn: signInWith(deps),
  }
}
