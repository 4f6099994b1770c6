import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { described, documented, named } from '../../http/schema.ts'
import type { User } from '../ports.ts'
import { usernameSchema } from '../username.ts'

/** The User object of the API. */
export const userResource = named(
  'User',
  z.strictObject({
    id: described('The user’s id, which never changes', z.uuid()),
    // Not z.email(), which refuses domains in other scripts.
    email: described('The address that the user signs in with', documented({ format: 'email' }, z.string())),
    username: described('The name that others see', z.string()),
    is_active: described('False if the operator has switched off the account', z.boolean()),
    is_verified: described('Whether the user has confirmed the address', z.boolean()),
    is_superuser: described('Always false: kept for consoles that read it', z.boolean()),
    created_at: described('When the account was registered', z.iso.datetime()),
  }),
)

/** What users may change in their own User object. Email and password have their own operations. */
export const profileUpdate = z.object({
  username: described('The new name: letters, digits, `_`, `.` and `-`', z.optional(usernameSchema)),
})

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
