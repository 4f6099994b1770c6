import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { documented, named } from '../../http/schema.ts'
import type { User } from '../ports.ts'
import { usernameSchema } from '../username.ts'

/** The User object of the API. */
export const userResource = named(
  'User',
  z.strictObject({
    id: z.uuid(),
    // Not z.email(), which refuses domains in other scripts.
    email: documented({ format: 'email' }, z.string()),
    username: z.string(),
    is_active: z.boolean(),
    is_verified: z.boolean(),
    is_superuser: z.boolean(),
    created_at: z.iso.datetime(),
  }),
)

/** What users may change in their own User object. Email and password have their own operations. */
export const profileUpdate = z.object({ username: z.optional(usernameSchema) })

/** Maps a user to the API's object, without other stored members. */
export function toUserResource(user: User): z.infer<typeof userResource> {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    is_active: user.isActive,
    is_verified: user.isVerified,
    is_superuser: user.isSuperuser,
    created_at: toRfc3339(user.createdAt),
  }
}
