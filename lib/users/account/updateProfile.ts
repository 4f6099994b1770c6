import type { Clock } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import { UserError } from '../errors.ts'
import type { User, Users } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'
import { isReservedUsername } from '../username.ts'

/** Dependencies of a change to a profile. */
interface ProfileDeps {
  readonly users: Pick<Users, 'findCaller' | 'rename'>
  readonly clock: Clock
  readonly serviceName: string
}

/**
 * Changes the username. Writes nothing if it is the same. The user may change the case of the current name.
 * @param changes `username` validated by `usernameSchema`
 * @param precondition gets the current user; throws to refuse
 * @throws what `precondition` throws; UserError `username_already_exists`, also for a reserved name; CommonError `invalid_token`;
 *   `service_unavailable` after too many conflicts
 */
export function updateProfile(
  { users, clock, serviceName }: ProfileDeps,
  caller: Caller,
  changes: { username?: string | undefined },
  precondition?: (user: User) => void,
): Promise<User> {
  return untilUnchanged(async () => {
    const user = await users.findCaller(caller)
    precondition?.(user)
    const { username = user.username } = changes
    if (username === user.username) return user
    if (isReservedUsername(username, serviceName)) throw new UserError('username_already_exists')
    const names = { from: user.username, to: username, now: clock.now(), unchanged: precondition && user }
    const outcome = await users.rename(caller.userId, names)
    if (outcome === 'username_taken') throw new UserError('username_already_exists')
    return outcome === 'renamed' ? { ...user, username } : outcome
  })
}
