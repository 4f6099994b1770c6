import { CommonError } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import { UserError } from './errors.ts'
import { getUser } from './getUser.ts'
import type { User, Users } from './ports.ts'

/** More rivals than this for one user's own name at one moment is no human being. */
const MAX_ATTEMPTS = 5

/**
 * Changes what a user may change: the username. Without a change nothing is written. The own name in another case is fine.
 * @param changes `username` already checked against `usernameSchema`
 * @throws UserError `username_already_exists`; CommonError `unauthorized`, or `service_unavailable` if the profile keeps
 *   changing under our hands
 */
export async function updateProfile(
  users: Users,
  userId: UserId,
  changes: { username?: string | undefined },
): Promise<User> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const user = await getUser(users, userId)
    const { username = user.username } = changes
    if (username === user.username) return user
    const outcome = await users.rename(userId, { from: user.username, to: username })
    if (outcome === 'renamed') return { ...user, username }
    if (outcome === 'username_taken') throw new UserError('username_already_exists')
  }
  throw new CommonError('service_unavailable', { message: 'profile changed too often meanwhile' })
}
