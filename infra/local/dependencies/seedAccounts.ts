import { toRfc3339 } from '../../../lib/core/clock.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import {
  DEMO_CREATED_AT,
  demoBrowserConsole,
  demoClient,
  demoOrganizations,
  demoPasswordHashes,
  demoPublicClient,
  demoUsers,
} from '../../data/demo.ts'
import type { Stores } from './openStores.ts'

/** Creates the demo's clients, users, organizations and memberships. Their ids are fixed, so nothing changes when it runs again. */
export async function seedAccounts(stores: Stores): Promise<void> {
  await Promise.all([
    seedClient(stores, demoClient, [digestSecret(demoClient.clientSecret)]),
    seedClient(stores, demoPublicClient),
    seedClient(stores, demoBrowserConsole),
    ...Object.entries(demoUsers).map(([name, user]) => seedUser(stores, user, passwordHashes[name])),
    ...Object.values(demoOrganizations).map((organization) => seedOrganization(stores, organization)),
  ])
}

type DemoClient = typeof demoClient | typeof demoPublicClient | typeof demoBrowserConsole

/** A client of the operator's own; public if it has no secret. */
async function seedClient(
  { clients }: Stores,
  { clientId, name, redirectUri, postLogoutRedirectUri }: DemoClient,
  secretDigests: OAuthClient['secretDigests'] = [],
): Promise<void> {
  await clients.put({
    clientId,
    type: secretDigests.length > 0 ? 'confidential' : 'public',
    name,
    secretDigests,
    grantTypes: ['authorization_code', 'refresh_token'],
    firstParty: true,
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [postLogoutRedirectUri],
    disabled: false,
  })
}

type DemoUser = (typeof demoUsers)[keyof typeof demoUsers]
const passwordHashes: Readonly<Record<string, string>> = demoPasswordHashes

async function seedUser(
  { users }: Stores,
  { id, email, username }: DemoUser,
  passwordHash: string | undefined,
): Promise<void> {
  const userId = userIdSchema.parse(id)
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  const user = { id: userId, email, username, ...flags, createdAt: DEMO_CREATED_AT }
  await users.create(user, passwordHash)
}

type DemoOrganization = (typeof demoOrganizations)[keyof typeof demoOrganizations]

async function seedOrganization({ organizations }: Stores, { id, name, members }: DemoOrganization): Promise<void> {
  const organizationId = organizationIdSchema.parse(id)
  await organizations.create({ id: organizationId, name, createdAt: toRfc3339(DEMO_CREATED_AT) })
  for (const { user, role } of members) {
    await organizations.setMembership(organizationId, userIdSchema.parse(demoUsers[user].id), role)
  }
}
