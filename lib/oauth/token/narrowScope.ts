import { scopesIn } from '../../core/scopes.ts'
import { OAuthError } from '../errors.ts'

/**
 * The scope of an access token (RFC 6749 §3.3): the requested scope, which must be part of the granted scope. If the request has none, the
 * granted scope.
 * @param granted space-separated
 * @throws OAuthError `invalid_scope`
 */
export function narrowScope(granted: string, requested = ''): string {
  const wanted = scopesIn(requested)
  if (wanted.length === 0) return granted
  const allowed = new Set(scopesIn(granted))
  if (!wanted.every((scope) => allowed.has(scope))) throw new OAuthError('invalid_scope')
  return [...new Set(wanted)].join(' ')
}
