import type { Caller } from '../../core/identity.ts'
import type { User, Users } from '../ports.ts'

/**
 * Returns the signed-in user.
 * @throws CommonError `invalid_token` if the caller's grant has ended; `service_unavailable`
 */
export function getUser(users: Pick<Users, 'findCaller'>, caller: Caller): Promise<User> {
  return users.findCaller(caller)
}
