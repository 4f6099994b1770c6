import { createOAuthClients } from '../adapters/dynamodb/oauthClientStore.ts'
import type { ResumeDeps } from '../oauth/authorize/requestToResume.ts'
import type { JoinDeps } from '../organizations/invitations/joinByInvitation.ts'
import type { UseLinkDeps } from '../users/account/useAccountLink.ts'
import { accountDeletionsFromEnvironment } from './accountDeletions.ts'
import { accountDepsFromEnvironment } from './accountPasswords.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { knownBrowserDeps } from './knownBrowser.ts'
import { organizationDepsFromEnvironment } from './organizations.ts'
import { redirectPolicyFromEnvironment } from './redirectPolicy.ts'
import { signInWith } from './signIn.ts'

/** Everything that the forms of links and account pages need. Throws Error where the environment is not complete. */
export function accountFormDepsFromEnvironment(): UseLinkDeps & JoinDeps & ResumeDeps {
  const deps = { ...accountDepsFromEnvironment(), ...knownBrowserDeps }
  return {
    ...organizationDepsFromEnvironment(),
    ...deps,
    deletions: accountDeletionsFromEnvironment(),
    clients: createOAuthClients(documents, accountsTable()),
    redirectPolicy: redirectPolicyFromEnvironment(),
    signIn: signInWith(deps),
  }
}
