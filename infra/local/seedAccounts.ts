import { toRfc3339 } from '../../lib/core/clock.ts'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import { digestSecret } from '../../lib/oauth/secretDigest.ts'
import { DEMO_CREATED_AT, demoClient, demoOrganizations, demoUsers } from '../data/demo.ts'
import type { Stores } from './openStores.ts'

/** Writes the demo's client, users, organizations and memberships. Their ids are fixed: seeding again changes nothing. */
export async function seedAccounts(stores: Stores): Promise<void> {
  await Promise.all([
    stores.clients.put({
      clientId: demoClient.clientId,
      secretDigest: digestSecret(demoClient.clientSecret),
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [demoClient.redirectUri],
    }),
    ...Object.values(demoUsers).map(({ id, email, username }) =>
      stores.users.create({
        id: userIdSchema.parse(id),
        email,
        username,
        isActive: true,
        isVerified: true,
        isSuperuser: false,
        createdAt: DEMO_CREATED_AT,
      }),
    ),
    ...Object.values(demoOrganizations).map((organization) => seedOrganization(stores, organization)),
  ])
}

type DemoOrganization = (typeof demoOrganizations)[keyof typeof demoOrganizations]

async function seedOrganization({ organizations }: Stores, { id, name, members }: DemoOrganization): Promise<void> {
  const organizationId = organizationIdSchema.parse(id)
  await organizations.create({ id: organizationId, name, createdAt: toRfc3339(DEMO_CREATED_AT) })
  for (const { user, role } of members) {
    await organizations.setMembership(organizationId, userIdSchema.parse(demoUsers[user].id), role)
  }
}
