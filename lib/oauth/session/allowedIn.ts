import type { AuthorizationCode } from '../ports.ts'
import type { LiveSession } from './session.ts'

/** What the code of a client that is not first-party keeps of the session in which its user has allowed it. */
export function allowedIn({
  id,
  authentication,
}: Pick<LiveSession, 'id' | 'authentication'>): Pick<AuthorizationCode, 'allowedIn'> {
  return authentication.sso === undefined ? {} : { allowedIn: id }
}
