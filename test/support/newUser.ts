import { randomUUID } from 'node:crypto'
import { userIdSchema } from '../../lib/core/ids.ts'
import type { User } from '../../lib/users/ports.ts'

/** A user with a verified email address, whom no store has yet. */
export function newUser(createdAt: number): User {
  const id = userIdSchema.parse(randomUUID())
  const username = `u-${id.slice(0, 13)}`
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  return { id, username, email: `${username}@example.com`, createdAt, ...flags }
}
