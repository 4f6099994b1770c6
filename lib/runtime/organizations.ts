import { createInvitations } from '../adapters/dynamodb/invitation.ts'
import { createOrganizationRecords } from '../adapters/dynamodb/organizationRecords.ts'
import { createProfiles } from '../adapters/dynamodb/profile.ts'
import { createUsers } from '../adapters/dynamodb/user.ts'
import { ids } from '../adapters/random/ids.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Invitations, Organizations, Profiles } from '../organizations/ports.ts'
import type { Users } from '../users/ports.ts'
import { clock } from './clock.ts'
import { accountsTable, billingTable, documents } from './dynamodb.ts'

/** Everything that organizations need but mail. */
interface OrganizationDeps {
  organizations: Organizations
  invitations: Invitations
  profiles: Profiles
  users: Users
  ids: Ids
  clock: Clock
}

/** Organizations in the table `billing`, their users in `accounts`. Throws z.ZodError where the environment does not name both. */
export function organizationDepsFromEnvironment(): OrganizationDeps {
  const [accounts, billing] = [accountsTable(), billingTable()]
  return {
    organizations: createOrganizationRecords(documents, billing),
    invitations: createInvitations(documents, { accounts, billing }),
    profiles: createProfiles(documents, accounts),
    users: createUsers(documents, accounts),
    ids,
    clock,
  }
}
