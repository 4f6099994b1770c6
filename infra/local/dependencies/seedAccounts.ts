import { toRfc3339 } from '../../../lib/core/clock.ts'
import { FIRST_REVISION } from '../../../lib/core/grant.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { serviceScopes } from '../../../lib/core/scopes.ts'
import { DEVICE_CODE, type OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import {
  DEMO_CREATED_AT,
  demoBrowserConsoleAt,
  demoClient,
  demoDeviceClient,
  demoOrganizations,
  demoPasswordHashes,
  demoPublicClient,
  demoServiceClient,
  demoUsers,
} from '../../data/demo.ts'
import type { Stores } from './openStores.ts'

/**
 * Creates the demo's clients, users, organizations and memberships. Their ids are fixed, so nothing changes when it runs again at the same
 * address. At another the console's client has the addresses of both: two stacks may share the tables.
 */
export async function seedAccounts(stores: Stores, baseUrl: string): Promise<void> {
  await Promise.all([
    seedClient(stores, demoClient, [digestSecret(demoClient.clientSecret)]),
    seedClient(stores, demoPublicClient),
    seedDeviceClient(stores),
    seedServiceClient(stores),
    seedClient(stores, demoBrowserConsoleAt(baseUrl)),
    ...Object.entries(demoUsers).map(([name, user]) => seedUser(stores, user, passwordHashes[name])),
    ...Object.values(demoOrganizations).map((organization) => seedOrganization(stores, organization)),
  ])
}

type DemoClient = typeof demoClient | typeof demoPublicClient | ReturnType<typeof demoBrowserConsoleAt>

/** A client of the operator's own; public if it has no secret. */
async function seedClient(
  { clients }: Stores,
  { clientId, name, redirectUri, postLogoutRedirectUri }: DemoClient,
  secretDigests: OAuthClient['secretDigests'] = [],
): Promise<void> {
  const before = await clients.find(clientId)
  await clients.put({
    clientId,
    type: secretDigests.length > 0 ? 'confidential' : 'public',
    name,
    secretDigests,
    grantTypes: ['authorization_code', 'refresh_token'],
    firstParty: true,
    redirectUris: [...new Set([...(before?.redirectUris ?? []), redirectUri])],
    postLogoutRedirectUris: [...new Set([...(before?.postLogoutRedirectUris ?? []), postLogoutRedirectUri])],
    disabled: false,
  })
}

async function seedDeviceClient({ clients }: Stores): Promise<void> {
  await clients.put({
    ...demoDeviceClient,
    type: 'public',
    secretDigests: [],
    grantTypes: [DEVICE_CODE, 'refresh_token'],
    firstParty: true,
    redirectUris: [],
    postLogoutRedirectUris: [],
    disabled: false,
  })
}

/** A client that may read everything that a service client can be granted. */
async function seedServiceClient({ clients }: Stores): Promise<void> {
  const { clientId, clientSecret, name } = demoServiceClient
  if (await clients.find(clientId)) return
  await clients.put({
    clientId,
    type: 'confidential',
    name,
    secretDigests: [digestSecret(clientSecret)],
    grantTypes: ['client_credentials'],
    scopes: serviceScopes,
    redirectUris: [],
    postLogoutRedirectUris: [],
    disabled: false,
    securityRev: FIRST_REVISION,
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
