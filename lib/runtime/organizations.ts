import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
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
import { environment, readEnvironment } from './environment.ts'

/** All that organizations need but mail. */
export interface OrganizationDeps {
  organizations: Organizations
  invitations: Invitations
  profiles: Profiles
  users: Users
  ids: Ids
  clock: Clock
}

/** Organizations in the table `billing`, their users in `accounts`. Throws z.ZodError where the environment does not name both. */
export function organizationDepsFromEnvironment(): OrganizationDeps {
  const { AWS_REGION, ACCOUNTS_TABLE, BILLING_TABLE } = readEnvironment(
    environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true, BILLING_TABLE: true }),
  )
  const client = createDocumentClient({ region: AWS_REGION })
  return {
    organizations: createOrganizationRecords(client, BILLING_TABLE),
    invitations: createInvitations(client, { accounts: ACCOUNTS_TABLE, billing: BILLING_TABLE }),
    profiles: createProfiles(client, ACCOUNTS_TABLE),
    users: createUsers(client, ACCOUNTS_TABLE),
    ids,
    clock,
  }
}
