import { levelOf, secondsSince } from '../../core/authentication.ts'
import type { LiveSession } from '../session/session.ts'
import type { AuthorizationRequest } from './authorizationRequest.ts'

/**
 * What the user must do. `other_user`: the request is for another user than the one who is signed in. `select_account`: say if the request is for
 * the account that is signed in. `single_sign_on`: the session did not come by that of the organization that the request names.
 */
export type MissingStep = 'sign_in' | 'single_sign_on' | 'second_factor' | 'other_user' | 'select_account'

/** How long a sign-in counts for the request that it took place for: long enough to read a consent page. */
const ANSWERED_MILLISECONDS = 10 * 60_000

/**
 * What the user must do before the request is answered in this session (OpenID Connect Core §3.1.2.1); undefined if the request can be answered.
 * If `prompt=login` is set or `max_age` has passed, the user must have signed in for this very request within the last 10 minutes. The
 * session stores the request that the user signed in for, so no parameter is dropped from the address to note the sign-in. A sign-in for the request
 * also answers `prompt=select_account`.
 * @param request `hintedUser`: the user that a valid `id_token_hint` names
 */
export function mustAuthenticate(
  request: Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'levels' | 'sso' | 'digest'> & {
    hintedUser?: string | undefined
  },
  { user, authentication, signedInFor }: Pick<LiveSession, 'authentication' | 'signedInFor'> & { user: { id: string } },
  now: number,
): MissingStep | undefined {
  const { prompts, maxAge, levels, sso, digest, hintedUser } = request
  if (hintedUser !== undefined && hintedUser !== user.id) return 'other_user'
  const age = now - authentication.at
  const isFor = signedInFor === digest && age < ANSWERED_MILLISECONDS
  const isTooOld = maxAge !== undefined && secondsSince(authentication, now) > maxAge
  if ((prompts.includes('login') || isTooOld) && !isFor) return 'sign_in'
  if (sso !== undefined && authentication.sso !== sso) return 'single_sign_on'
  // Any level in `acr_values` satisfies the request (RFC 9470 §5), and every sign-in reaches the lower level.
  if (levels.includes('aal2') && !levels.includes(levelOf(authentication))) return 'second_factor'
  return prompts.includes('select_account') && !isFor ? 'select_account' : undefined
}
