import { type UserId, userIdSchema } from '../../lib/core/ids.ts'
import type { Profile, Role } from '../../lib/organizations/ports.ts'

const user = (last: string): UserId => userIdSchema.parse(`0e4c7d2a-3b5f-4a8e-9c6d-7f8e9a0b1c2${last}`)
export const [ada, grace, bob] = [user('a'), user('b'), user('c')]
const people: readonly [UserId, Profile & { role: Role }][] = [
  [ada, { username: 'ada', email: 'ada@example.com', language: 'de', role: 'owner' }],
  [grace, { username: 'grace', email: 'grace@example.com', role: 'owner' }],
  [bob, { username: 'bob', email: 'bob@example.com', language: 'en', role: 'member' }],
]

/** An organization with two owners, one of whom chose German, and a member. */
export const mailedMembers = {
  organizations: {
    readMembers: async () => ({ members: people.map(([userId, { role }]) => ({ userId, role })), invitations: [] }),
  },
  profiles: { find: async (ids: readonly UserId[]) => new Map(people.filter(([id]) => ids.includes(id))) },
}
