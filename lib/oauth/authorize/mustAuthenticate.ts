import { levelOf, secondsSince } from '../../core/authentication.ts'
import type { LiveSession } from '../session/session.ts'
import type { AuthorizationRequest } from './authorizationRequest.ts'

/** How long a sign-in that took place for a request answers it: long enough to read a consent page. */
const ANSWERED_MILLISECONDS = 10 * 60_000

/**
 * What the user has to do before the request is answered in this session (OpenID Connect Core §3.1.2.1); undefined where nothing is.
 * `prompt=login`, and a `max_age` that has passed, are answered by a sign-in that took place for this very request within the last 10
 * minutes: the session knows which one that was, so that no parameter is dropped from the address to remember it by.
 * @param request `hintedUser`: the user that a valid `id_token_hint` names
 */
export function mustAuthenticate(
  request: Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'levels' | 'digest'> & { hintedUser?: string | undefined },
  { user, authentication, signedInFor }: Pick<LiveSession, 'authentication' | 'signedInFor'> & { user: { id: string } },
  now: number,
): undefined | 'sign_in' | 'second_factor' {
  const { prompts, maxAge, levels, digest, hintedUser } = request
  if (hintedUser !== undefined && hintedUser !== user.id) return 'sign_in'
  const age = now - authentication.at
  const isFor = signedInFor === digest && age < ANSWERED_MILLISECONDS
  const isTooOld = maxAge !== undefined && secondsSince(authentication, now) > maxAge
  if ((prompts.includes('login') || isTooOld) && !isFor) return 'sign_in'
  // `acr_values` is a list of what would do (RFC 9470 §5): the lower level is reached by every sign-in.
  return levels.includes('aal2') && !levels.includes(levelOf(authentication)) ? 'second_factor' : undefined
}
